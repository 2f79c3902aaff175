import java.util.regex.Pattern;

/** Just enough JSON for this example. A real application uses a library. */
final class Json {
    private Json() {}

    static String text(String json, String key) {
        var found = Pattern.compile("\"" + key + "\":\"([^\"]*)\"").matcher(json);
        return found.find() ? found.group(1) : null;
    }

    static double number(String json, String key) {
        var found = Pattern.compile("\"" + key + "\":(-?[0-9.]+)").matcher(json);
        if (!found.find()) throw new IllegalArgumentException("no " + key + " in " + json);
        return Double.parseDouble(found.group(1));
    }
}
