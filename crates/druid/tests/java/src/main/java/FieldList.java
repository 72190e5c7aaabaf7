import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.AnnotatedClassResolver;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import java.io.File;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import org.apache.druid.initialization.DruidModule;
import org.apache.druid.jackson.DefaultObjectMapper;

/**
 * Every property that Druid's own classes read from the JSON of an index_parallel, index or compact task, as their
 * Jackson annotations say: one line each, {@code shape TAB type TAB property TAB what stands there}, sorted. A shape is
 * the class that a property is declared with; where that has subtypes, there is a line with no property for each.
 * Context keys are the constants of Tasks.
 *
 * <pre>
 * mvn -q compile dependency:build-classpath -Ddruid=33.0.0 -Dout=OUT -Dmdep.outputFile=OUT/jars
 * java -cp OUT/classes:$(cat OUT/jars) FieldList > ../vectors/fields-33.tsv
 * </pre>
 */
public final class FieldList
{
  private static final ObjectMapper MAPPER = new DefaultObjectMapper();
  private static final Set<String> LINES = new TreeSet<>();
  private static final Set<String> SEEN = new HashSet<>();
  /** What no person writes: published segments, and columns of made-up rows. */
  private static final Set<String> UNWRITTEN = Set.of("DataSegment", "GeneratorColumnSchema");
  private static final Deque<JavaType> TO_DO = new ArrayDeque<>();

  public static void main(String[] args) throws Exception
  {
    registerModules();
    String task = "org.apache.druid.indexing.common.task.";
    for (String root : new String[]{task + "batch.parallel.ParallelIndexSupervisorTask", task + "IndexTask", task + "CompactionTask"}) {
      TO_DO.add(MAPPER.constructType(Class.forName(root)));
    }
    while (!TO_DO.isEmpty()) {
      JavaType type = TO_DO.poll();
      if (SEEN.add(type.toCanonical())) {
        shape(type);
      }
    }
    for (Field field : Class.forName(task + "Tasks").getFields()) {
      if (Modifier.isStatic(field.getModifiers()) && field.getType() == String.class) {
        LINES.add("Context\t\t" + field.get(null) + "\t");
      }
    }
    LINES.forEach(System.out::println);
  }

  /** All modules that Druid's jars bring: they name further subtypes of sources, formats, tuning configs. */
  private static void registerModules() throws Exception
  {
    for (String place : System.getProperty("java.class.path").split(File.pathSeparator)) {
      String name = new File(place).getName();
      if (!name.startsWith("druid-") || !name.endsWith(".jar")) {
        continue;
      }
      try (JarFile jar = new JarFile(place)) {
        jar.stream().map(e -> e.getName()).filter(n -> n.endsWith("Module.class")).forEach(FieldList::registerModule);
      }
    }
  }

  private static void registerModule(String entry)
  {
    try {
      Class<?> found = Class.forName(entry.substring(0, entry.length() - 6).replace('/', '.'));
      if (DruidModule.class.isAssignableFrom(found) && !Modifier.isAbstract(found.getModifiers())) {
        MAPPER.registerModules(((DruidModule) found.getDeclaredConstructor().newInstance()).getJacksonModules());
      }
    }
    catch (Throwable e) {
      System.err.println("left out " + entry + ": " + e);
    }
  }

  private static void shape(JavaType type)
  {
    AnnotatedClass annotated = AnnotatedClassResolver.resolve(MAPPER.getDeserializationConfig(), type, MAPPER.getDeserializationConfig());
    String shape = type.getRawClass().getSimpleName();
    boolean some = false;
    if (annotated.hasAnnotation(JsonTypeInfo.class) && type.isAbstract()) {
      for (NamedType sub : MAPPER.getSubtypeResolver().collectAndResolveSubtypesByTypeId(MAPPER.getDeserializationConfig(), annotated)) {
        if (sub.getName() != null && sub.getType() != type.getRawClass()) {
          LINES.add(shape + "\t" + sub.getName() + "\t\t");
          properties(shape, sub.getName(), MAPPER.constructType(sub.getType()));
          some = true;
        }
      }
    }
    if (!some) {
      properties(shape, "", type);
    }
  }

  private static void properties(String shape, String typeName, JavaType type)
  {
    BeanDescription bean = MAPPER.getDeserializationConfig().introspect(type);
    JsonDeserialize by = bean.getClassInfo().getAnnotation(JsonDeserialize.class);
    if (by != null && by.builder() != Void.class) {
      JavaType builder = MAPPER.constructType(by.builder());
      bean = MAPPER.getDeserializationConfig().introspectForBuilder(builder, bean);
    }
    for (BeanPropertyDefinition property : bean.findProperties()) {
      if (property.getName().isEmpty() || !(property.hasConstructorParameter() || property.hasSetter() || property.hasField())) {
        continue;
      }
      JavaType there = property.getRawPrimaryType() == null ? null : property.getPrimaryType();
      LINES.add(shape + "\t" + typeName + "\t" + property.getName() + "\t" + (there == null ? "" : spoken(there)));
      follow(there);
    }
  }

  private static String spoken(JavaType type)
  {
    if (type.isContainerType() && type.getContentType() != null) {
      return type.getRawClass().getSimpleName() + "<" + spoken(type.getContentType()) + ">";
    }
    return type.getRawClass().getSimpleName();
  }

  /** Shapes are Druid's own classes; what is inside a list or a map counts. */
  private static void follow(JavaType type)
  {
    if (type == null) {
      return;
    }
    if (type.isContainerType()) {
      follow(type.getContentType());
    } else if (type.getRawClass().getName().startsWith("org.apache.druid.") && !type.isEnumType()) {
      if (type.getRawClass().getSimpleName().equals("VirtualColumns")) {
        // Read as a list by a creator without names.
        TO_DO.add(MAPPER.constructType(org.apache.druid.segment.VirtualColumn.class));
        return;
      }
      if (UNWRITTEN.contains(type.getRawClass().getSimpleName())) {
        return;
      }
      TO_DO.add(type.isAbstract() ? MAPPER.constructType(named(type.getRawClass())) : type);
    }
  }

  /** The class or interface above that says how types are named: what is declared with a narrower one reads the same. */
  private static Class<?> named(Class<?> narrow)
  {
    for (Class<?> above : narrow.getInterfaces()) {
      if (named(above).isAnnotationPresent(JsonTypeInfo.class)) {
        return named(above);
      }
    }
    Class<?> above = narrow.getSuperclass();
    return above != null && named(above).isAnnotationPresent(JsonTypeInfo.class) ? named(above) : narrow;
  }
}
