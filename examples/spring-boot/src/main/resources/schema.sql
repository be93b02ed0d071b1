create table if not exists stock (item varchar primary key, amount int not null);
create table if not exists orders (id identity primary key, item varchar not null, fencing_token bigint not null);
create table if not exists report (number bigint primary key, instance varchar not null, sold bigint not null);
insert into stock select * from (values ('tea', 10000), ('coffee', 3)) as initial (item, amount) where not exists (select 1 from stock);
