package io.keyhold.testkit;

import io.keyhold.spi.RedisDriverProvider;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/**
 * Loads a driver with another version of its client library than the one on the class path, so that
 * {@link RedisDriverContract} and {@link RedisDriverFaultContract} can be run on each version that the driver supports.
 *
 * <p>The driver and its client come from here, and never from the class path; everything else comes from there.
 */
public final class OtherVersion extends URLClassLoader {

    private final String driverPackage;
    private final String clientPackage;

    private OtherVersion(URL driver, URL client, String driverPackage, String clientPackage) {
        super(new URL[] {driver, client}, OtherVersion.class.getClassLoader());
        this.driverPackage = driverPackage;
        this.clientPackage = clientPackage;
    }

    /**
     * Loads a driver.
     *
     * @param provider opens the driver
     * @param clientPackage the package of the client library, with all below it
     * @param clientJar the other version of the client library
     * @return the provider, above the other version
     */
    public static RedisDriverProvider load(
            Class<? extends RedisDriverProvider> provider, String clientPackage, Path clientJar) {
        try {
            URL driver = provider.getProtectionDomain().getCodeSource().getLocation();
            OtherVersion loader = new OtherVersion(
                    driver, clientJar.toUri().toURL(), provider.getPackageName() + ".", clientPackage + ".");
            return (RedisDriverProvider)
                    loader.loadClass(provider.getName()).getConstructor().newInstance();
        } catch (ReflectiveOperationException | MalformedURLException e) {
            throw new IllegalArgumentException(provider.getName() + " cannot be loaded with " + clientJar, e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(driverPackage) && !name.startsWith(clientPackage)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known != null ? known : findClass(name);
        }
    }
}
