package shop;

import java.io.File;
import java.util.List;
import org.apache.catalina.startup.Tomcat;
import org.springframework.beans.MutablePropertyValues;
import org.springframework.http.converter.json.MappingJackson2HttpMessageConverter;
import org.springframework.web.context.support.StaticWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Runs Shop.java in Tomcat, with Spring from Debian's packages. A Spring Boot project does not need this class. */
public class Serve {
    public static void main(String[] words) throws Exception {
        var converters = new MutablePropertyValues();
        converters.add("messageConverters", List.of(new MappingJackson2HttpMessageConverter()));
        var context = new StaticWebApplicationContext();
        context.registerSingleton("shop", Shop.class);
        context.registerSingleton("mapping", RequestMappingHandlerMapping.class);
        context.registerSingleton("adapter", RequestMappingHandlerAdapter.class, converters);
        var tomcat = new Tomcat();
        tomcat.setBaseDir(System.getProperty("java.io.tmpdir"));
        tomcat.setPort(3000);
        tomcat.getConnector();
        var site = tomcat.addContext("", new File(".").getAbsolutePath());
        Tomcat.addServlet(site, "spring", new DispatcherServlet(context)).setLoadOnStartup(1);
        site.addServletMappingDecoded("/", "spring");
        tomcat.start();
        System.out.println("listening on http://localhost:3000");
        tomcat.getServer().await();
    }
}
