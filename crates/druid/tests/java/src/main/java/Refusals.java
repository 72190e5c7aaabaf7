import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.InjectableValues;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.jar.JarFile;
import org.apache.druid.data.input.impl.HttpInputSourceConfig;
import org.apache.druid.indexing.common.SegmentCacheManagerFactory;
import org.apache.druid.indexing.common.config.TaskConfig;
import org.apache.druid.indexing.common.task.Task;
import org.apache.druid.initialization.DruidModule;
import org.apache.druid.jackson.DefaultObjectMapper;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.column.ColumnConfig;

/**
 * What Druid's own classes say of tasks: each line of the input is {@code name TAB task}, each of the output
 * {@code name TAB words TAB task}, where the words are the first line of what the server puts into {@code error}, and empty
 * where the task is built.
 *
 * <pre>
 * REFUSED_TASKS=OUT/tasks cargo test -p druid --test spec_refusals own
 * mvn -q compile dependency:build-classpath -Ddruid=33.0.0 -Dout=OUT -Dmdep.outputFile=OUT/jars
 * java -cp OUT/classes:$(cat OUT/jars) Refusals &lt; OUT/tasks &gt; ../vectors/refusals-33.tsv
 * </pre>
 */
public final class Refusals
{
  private static final ObjectMapper MAPPER = new DefaultObjectMapper();

  public static void main(String[] args) throws Exception
  {
    registerModules();
    MAPPER.setInjectableValues(new Defaults());
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] parts = line.split("\t", 2);
      out.println(parts[0] + "\t" + words(parts[1]) + "\t" + parts[1]);
    }
  }

  private static String words(String task) throws Exception
  {
    try {
      MAPPER.readValue(task, Task.class);
      return "";
    }
    catch (JsonMappingException e) {
      // As CustomExceptionMapper cuts it.
      return e.getMessage().split("\n", 2)[0].replace("\t", "\\t");
    }
  }

  /** All modules that Druid's jars bring: they name further types of sources, formats, tuning configs. */
  private static void registerModules() throws Exception
  {
    for (String place : System.getProperty("java.class.path").split(File.pathSeparator)) {
      String name = new File(place).getName();
      if (!name.startsWith("druid-") || !name.endsWith(".jar")) {
        continue;
      }
      try (JarFile jar = new JarFile(place)) {
        jar.stream().map(e -> e.getName()).filter(n -> n.endsWith("Module.class")).forEach(Refusals::registerModule);
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

  /** What a server would inject, as far as a constructor looks at it: configurations as they are by default, and nothing
   * behind interfaces. */
  private static final class Defaults extends InjectableValues
  {
    @Override
    public Object findInjectableValue(Object id, DeserializationContext context, BeanProperty property, Object bean)
    {
      try {
        Class<?> wanted = Class.forName(String.valueOf(id));
        if (wanted == HttpInputSourceConfig.class || wanted == TaskConfig.class) {
          return MAPPER.readValue("{}", wanted);
        }
        if (wanted == IndexIO.class) {
          return new IndexIO(MAPPER, ColumnConfig.DEFAULT);
        }
        if (wanted == SegmentCacheManagerFactory.class) {
          return new SegmentCacheManagerFactory((IndexIO) findInjectableValue(IndexIO.class.getName(), context, property, bean), MAPPER);
        }
        return wanted.isInterface()
               ? Proxy.newProxyInstance(wanted.getClassLoader(), new Class<?>[]{wanted}, (proxy, method, arguments) -> null)
               : null;
      }
      catch (Exception e) {
        return null;
      }
    }

    // Newer releases of Jackson ask in this way.
    public Object findInjectableValue(Object id, DeserializationContext context, BeanProperty property, Object bean, Boolean optional, Boolean useInput)
    {
      return findInjectableValue(id, context, property, bean);
    }
  }
}
