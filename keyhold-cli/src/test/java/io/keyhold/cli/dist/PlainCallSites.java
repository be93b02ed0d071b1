package io.keyhold.cli.dist;

import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_INTERFACE;
import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SUPER;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.GeneratorAdapter;
import org.objectweb.asm.commons.Method;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Replaces the dynamic call sites of classes by plain code that does the same: lambdas and method references by classes, concatenations of
 * strings by a {@link StringBuilder}, and the methods of records by comparing, hashing or printing their fields.
 *
 * <p>The JVM links each dynamic call site when it first runs, which takes longer than the code itself, at each start of the command: a class-data
 * archive has classes, and not what was linked. This is done in the command's jar only ({@code docs/decisions/046}).
 */
public final class PlainCallSites {

    private static final Type OBJECT = Type.getType(Object.class);
    private static final Type OBJECTS = Type.getType(Objects.class);
    private static final Type STRING = Type.getType(String.class);
    private static final Type BUILDER = Type.getType(StringBuilder.class);
    private static final Method CONSTRUCTOR = Method.getMethod("void <init>()");
    private static final Method TO_STRING = Method.getMethod("String toString()");

    private static final Map<String, Type> UNBOXED = Map.of(
            "java.lang.Boolean", Type.BOOLEAN_TYPE,
            "java.lang.Byte", Type.BYTE_TYPE,
            "java.lang.Character", Type.CHAR_TYPE,
            "java.lang.Short", Type.SHORT_TYPE,
            "java.lang.Integer", Type.INT_TYPE,
            "java.lang.Long", Type.LONG_TYPE,
            "java.lang.Float", Type.FLOAT_TYPE,
            "java.lang.Double", Type.DOUBLE_TYPE);

    /** In the recipe of a concatenation: an argument, and a constant. */
    private static final char ARGUMENT = '\1';

    private static final char CONSTANT = '\2';

    private final Map<String, ClassNode> classes = new LinkedHashMap<>();
    private final Map<String, ClassNode> changed = new LinkedHashMap<>();
    private int replaced;

    private PlainCallSites() {}

    /**
     * Rewrites a jar in place: {@code PlainCallSites JAR TIME}, with the time of its entries, so that two builds give the same bytes.
     *
     * @throws IOException if the jar cannot be read or written
     */
    public static void main(String... arguments) throws IOException {
        Path jar = Path.of(arguments[0]);
        Map<String, byte[]> entries = read(jar);
        entries.putAll(in(entries));
        Path rewritten = Path.of(jar + ".new");
        write(rewritten, entries, Instant.parse(arguments[1]));
        Files.move(rewritten, jar, StandardCopyOption.REPLACE_EXISTING);
    }

    private static Map<String, byte[]> read(Path jar) throws IOException {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        try (InputStream file = Files.newInputStream(jar);
                ZipInputStream zip = new ZipInputStream(file)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (!entry.isDirectory()) {
                    entries.put(entry.getName(), zip.readAllBytes());
                }
            }
        }
        return entries;
    }

    private static void write(Path jar, Map<String, byte[]> entries, Instant time) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(file)) {
            for (Map.Entry<String, byte[]> each : entries.entrySet()) {
                ZipEntry entry = new ZipEntry(each.getKey());
                entry.setTimeLocal(LocalDateTime.ofInstant(time, ZoneOffset.UTC));
                zip.putNextEntry(entry);
                zip.write(each.getValue());
            }
        }
    }

    /**
     * Returns the class files that replace others of the same name, or are new; by their path, as in a jar. Classes compiled for Java before
     * 11 stay as they are: a class made of their lambdas could not call their private methods.
     */
    static Map<String, byte[]> in(Map<String, byte[]> files) {
        PlainCallSites sites = new PlainCallSites();
        files.forEach((path, file) -> {
            if (path.endsWith(".class") && !path.startsWith("META-INF/")) {
                sites.add(file);
            }
        });
        return sites.rewritten();
    }

    private void add(byte[] file) {
        ClassNode type = new ClassNode();
        new ClassReader(file).accept(type, 0);
        if ((type.version & 0xFFFF) >= Opcodes.V11) {
            classes.put(type.name, type);
        }
    }

    private Map<String, byte[]> rewritten() {
        classes.values().forEach(this::rewrite);
        Map<String, byte[]> files = new LinkedHashMap<>();
        changed.forEach((name, type) -> {
            ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
            type.accept(writer);
            files.put(name + ".class", writer.toByteArray());
        });
        return files;
    }

    private void rewrite(ClassNode type) {
        for (MethodNode method : List.copyOf(type.methods)) {
            for (AbstractInsnNode instruction : method.instructions.toArray()) {
                MethodInsnNode call =
                        instruction instanceof InvokeDynamicInsnNode site ? replacement(type, site) : null;
                if (call != null) {
                    method.instructions.set(instruction, call);
                    changed.put(type.name, type);
                    replaced++;
                }
            }
        }
    }

    /** Returns a call that takes and returns the same as the call site; null if it is of another kind. */
    private @Nullable MethodInsnNode replacement(ClassNode type, InvokeDynamicInsnNode site) {
        return switch (site.bsm.getOwner() + "." + site.bsm.getName()) {
            case "java/lang/invoke/StringConcatFactory.makeConcatWithConstants" -> concatenation(type, site);
            case "java/lang/runtime/ObjectMethods.bootstrap" -> recordMethod(type, site);
            case "java/lang/invoke/LambdaMetafactory.metafactory" -> lambda(type, site);
            default -> null;
        };
    }

    private static GeneratorAdapter method(ClassNode type, int access, String name, String descriptor) {
        MethodNode method = new MethodNode(access, name, descriptor, null, null);
        type.methods.add(method);
        GeneratorAdapter code = new GeneratorAdapter(method, access, name, descriptor);
        code.visitCode();
        return code;
    }

    private static void end(GeneratorAdapter code) {
        code.returnValue();
        code.endMethod();
    }

    /** Adds a method to the class that has the call site, and calls it. */
    private MethodInsnNode ownMethod(ClassNode type, InvokeDynamicInsnNode site, Consumer<GeneratorAdapter> body) {
        String name = "plain$" + replaced;
        GeneratorAdapter code = method(type, ACC_PRIVATE | ACC_STATIC | ACC_SYNTHETIC, name, site.desc);
        body.accept(code);
        end(code);
        return new MethodInsnNode(Opcodes.INVOKESTATIC, type.name, name, site.desc, (type.access & ACC_INTERFACE) != 0);
    }

    private MethodInsnNode concatenation(ClassNode type, InvokeDynamicInsnNode site) {
        Type[] arguments = Type.getArgumentTypes(site.desc);
        return ownMethod(type, site, code -> {
            newInstance(code, BUILDER);
            StringBuilder text = new StringBuilder();
            int argument = 0;
            int constant = 1;
            for (char each : site.bsmArgs[0].toString().toCharArray()) {
                if (each == CONSTANT) {
                    text.append(site.bsmArgs[constant++]);
                } else if (each == ARGUMENT) {
                    append(code, text);
                    code.loadArg(argument);
                    append(code, arguments[argument++]);
                } else {
                    text.append(each);
                }
            }
            append(code, text);
            code.invokeVirtual(BUILDER, TO_STRING);
        });
    }

    private static void newInstance(GeneratorAdapter code, Type type) {
        code.newInstance(type);
        code.dup();
        code.invokeConstructor(type, CONSTRUCTOR);
    }

    /** Appends the text that has gathered, and empties it. */
    private static void append(GeneratorAdapter code, StringBuilder text) {
        if (text.length() > 0) {
            code.push(text.toString());
            append(code, STRING);
            text.setLength(0);
        }
    }

    /** Appends a value of this type that is on the stack. */
    private static void append(GeneratorAdapter code, Type type) {
        Type parameter = switch (type.getSort()) {
            case Type.BYTE, Type.SHORT -> Type.INT_TYPE;
            case Type.OBJECT, Type.ARRAY -> type.equals(STRING) ? STRING : OBJECT;
            default -> type;
        };
        code.invokeVirtual(BUILDER, new Method("append", BUILDER, new Type[] {parameter}));
    }

    /** The fields of the record are the last arguments of the call site's bootstrap method. */
    private MethodInsnNode recordMethod(ClassNode type, InvokeDynamicInsnNode site) {
        List<Handle> fields = new ArrayList<>();
        for (int i = 2; i < site.bsmArgs.length; i++) {
            fields.add((Handle) site.bsmArgs[i]);
        }
        return ownMethod(type, site, code -> {
            switch (site.name) {
                case "toString" -> print(code, type, fields);
                case "hashCode" -> hash(code, type, fields);
                case "equals" -> compare(code, type, fields);
                default -> throw new IllegalStateException("no method of records: " + site.name);
            }
        });
    }

    private static void print(GeneratorAdapter code, ClassNode type, List<Handle> fields) {
        int nameBegins = Math.max(type.name.lastIndexOf('/'), type.name.lastIndexOf('$')) + 1;
        StringBuilder text = new StringBuilder(type.name.substring(nameBegins)).append('[');
        newInstance(code, BUILDER);
        for (Handle field : fields) {
            append(code, text.append(field.getName()).append('='));
            code.loadArg(0);
            append(code, load(code, type, field));
            text.append(", ");
        }
        text.setLength(fields.isEmpty() ? text.length() : 0); // Without the comma behind the last field.
        append(code, text.append(']'));
        code.invokeVirtual(BUILDER, TO_STRING);
    }

    private static void hash(GeneratorAdapter code, ClassNode type, List<Handle> fields) {
        code.push(0);
        for (Handle field : fields) {
            code.push(31);
            code.math(GeneratorAdapter.MUL, Type.INT_TYPE);
            code.loadArg(0);
            code.valueOf(load(code, type, field));
            code.invokeStatic(OBJECTS, Method.getMethod("int hashCode(Object)"));
            code.math(GeneratorAdapter.ADD, Type.INT_TYPE);
        }
    }

    private static void compare(GeneratorAdapter code, ClassNode type, List<Handle> fields) {
        Type self = Type.getObjectType(type.name);
        Label different = code.newLabel();
        code.loadArg(1);
        code.instanceOf(self);
        code.ifZCmp(GeneratorAdapter.EQ, different);
        for (Handle field : fields) {
            code.loadArg(0);
            code.valueOf(load(code, type, field));
            code.loadArg(1);
            code.checkCast(self);
            code.valueOf(load(code, type, field));
            code.invokeStatic(OBJECTS, Method.getMethod("boolean equals(Object, Object)"));
            code.ifZCmp(GeneratorAdapter.EQ, different);
        }
        code.push(true);
        code.returnValue();
        code.mark(different);
        code.visitFrame(Opcodes.F_NEW, 2, new Object[] {type.name, OBJECT.getInternalName()}, 0, null);
        code.push(false);
    }

    /** Replaces the record on the stack by its field, and returns the type of that. */
    private static Type load(GeneratorAdapter code, ClassNode type, Handle field) {
        Type fieldType = Type.getType(field.getDesc());
        code.getField(Type.getObjectType(type.name), field.getName(), fieldType);
        return fieldType;
    }

    /** Makes a class of the lambda, with a field for each captured value, which may call private methods of the class that has the lambda. */
    private MethodInsnNode lambda(ClassNode type, InvokeDynamicInsnNode site) {
        Type contract = Type.getReturnType(site.desc);
        Type[] captured = Type.getArgumentTypes(site.desc);
        ClassNode made = new ClassNode();
        made.visit(
                Opcodes.V11,
                ACC_FINAL | ACC_SUPER | ACC_SYNTHETIC,
                type.name + "$$Plain" + replaced,
                null,
                OBJECT.getInternalName(),
                new String[] {contract.getInternalName()});
        joinNest(made, type);
        changed.put(made.name, made);
        addConstructor(made, captured);
        addFactory(made, contract, site.desc, captured);
        addBody(made, site, captured);
        return new MethodInsnNode(Opcodes.INVOKESTATIC, made.name, "of", site.desc, false);
    }

    private void joinNest(ClassNode made, ClassNode type) {
        ClassNode host = type.nestHostClass == null ? type : Objects.requireNonNull(classes.get(type.nestHostClass));
        made.nestHostClass = host.name;
        if (host.nestMembers == null) {
            host.nestMembers = new ArrayList<>();
        }
        host.nestMembers.add(made.name);
        changed.put(host.name, host);
    }

    private static void addConstructor(ClassNode made, Type[] captured) {
        Type self = Type.getObjectType(made.name);
        GeneratorAdapter code = method(made, 0, "<init>", Type.getMethodDescriptor(Type.VOID_TYPE, captured));
        code.loadThis();
        code.invokeConstructor(OBJECT, CONSTRUCTOR);
        for (int i = 0; i < captured.length; i++) {
            made.visitField(ACC_PRIVATE | ACC_FINAL, field(i), captured[i].getDescriptor(), null, null);
            code.loadThis();
            code.loadArg(i);
            code.putField(self, field(i), captured[i]);
        }
        end(code);
    }

    private static String field(int captured) {
        return "captured" + captured;
    }

    /** Without captured values, all calls return the same object. */
    private static void addFactory(ClassNode made, Type contract, String descriptor, Type[] captured) {
        Type self = Type.getObjectType(made.name);
        GeneratorAdapter code = method(made, ACC_STATIC, "of", descriptor);
        if (captured.length == 0) {
            made.visitField(ACC_PRIVATE | ACC_STATIC | ACC_FINAL, "only", contract.getDescriptor(), null, null);
            GeneratorAdapter initializer = method(made, ACC_STATIC, "<clinit>", "()V");
            newInstance(initializer, self);
            initializer.putStatic(self, "only", contract);
            end(initializer);
            code.getStatic(self, "only", contract);
        } else {
            code.newInstance(self);
            code.dup();
            code.loadArgs();
            code.invokeConstructor(self, new Method("<init>", Type.getMethodDescriptor(Type.VOID_TYPE, captured)));
        }
        end(code);
    }

    private static void addBody(ClassNode made, InvokeDynamicInsnNode site, Type[] captured) {
        Type erased = (Type) site.bsmArgs[0];
        Handle target = (Handle) site.bsmArgs[1];
        Type instantiated = (Type) site.bsmArgs[2];
        Type owner = Type.getObjectType(target.getOwner());
        boolean constructs = target.getTag() == Opcodes.H_NEWINVOKESPECIAL;
        GeneratorAdapter code = method(made, ACC_PUBLIC, site.name, erased.getDescriptor());
        if (constructs) {
            code.newInstance(owner);
            code.dup();
        }
        List<Type> parameters = new ArrayList<>(List.of(Type.getArgumentTypes(target.getDesc())));
        if (!constructs && target.getTag() != Opcodes.H_INVOKESTATIC) {
            parameters.add(0, owner);
        }
        for (int i = 0; i < parameters.size(); i++) {
            int argument = i - captured.length;
            if (argument < 0) {
                code.loadThis();
                code.getField(Type.getObjectType(made.name), field(i), captured[i]);
                convert(code, captured[i], captured[i], parameters.get(i));
            } else {
                code.loadArg(argument);
                Type known = instantiated.getArgumentTypes()[argument];
                convert(code, erased.getArgumentTypes()[argument], known, parameters.get(i));
            }
        }
        code.visitMethodInsn(
                opcode(target), target.getOwner(), target.getName(), target.getDesc(), target.isInterface());
        Type result = constructs ? owner : Type.getReturnType(target.getDesc());
        if (erased.getReturnType().getSort() != Type.VOID) {
            convert(code, result, result, instantiated.getReturnType());
        }
        // A result that is not wanted stays on the stack, which ends here.
        end(code);
    }

    private static int opcode(Handle target) {
        return switch (target.getTag()) {
            case Opcodes.H_INVOKESTATIC -> Opcodes.INVOKESTATIC;
            case Opcodes.H_NEWINVOKESPECIAL -> Opcodes.INVOKESPECIAL;
            default -> target.isInterface() ? Opcodes.INVOKEINTERFACE : Opcodes.INVOKEVIRTUAL;
        };
    }

    /**
     * Converts the value on the stack, as the platform does for lambdas: by a cast, boxing, unboxing or widening.
     *
     * @param type its type by the descriptor, which may be erased
     * @param known the type that it is known to have
     */
    private static void convert(GeneratorAdapter code, Type type, Type known, Type wanted) {
        if (isPrimitive(type) && isPrimitive(wanted)) {
            code.cast(type, wanted);
        } else if (isPrimitive(type)) {
            code.valueOf(type);
        } else if (isPrimitive(wanted)) {
            Type unboxed = UNBOXED.getOrDefault(known.getClassName(), wanted);
            code.unbox(unboxed);
            code.cast(unboxed, wanted);
        } else if (!wanted.equals(type)) {
            code.checkCast(wanted);
        }
    }

    private static boolean isPrimitive(Type type) {
        return type.getSort() < Type.ARRAY;
    }
}
