import com.sun.source.util.JavacTask;
import java.io.File;
import java.util.List;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/** Reads a Java file as the compiler does, without looking for the classes it names; exit code 1 and the places where it cannot. */
class Parse {
    public static void main(String[] files) throws Exception {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var problems = new DiagnosticCollector<JavaFileObject>();
        var manager = compiler.getStandardFileManager(problems, null, null);
        var sources = manager.getJavaFileObjects(new File(files[0]));
        ((JavacTask) compiler.getTask(null, manager, problems, List.of(), null, sources)).parse();
        for (Diagnostic<?> problem : problems.getDiagnostics()) System.err.println(problem);
        if (!problems.getDiagnostics().isEmpty()) System.exit(1);
    }
}
