/** The colours of a style by their names, once for each theme; a later theme changes what it names. */
export function paletteOf(style: string): Readonly<Record<string, string>>[] {
  const themes = [...style.matchAll(/:root \{([^}]*)\}/g)].map(([, rules = ""]) =>
    Object.fromEntries(
      [...rules.matchAll(/--([\w-]+): (#[\da-f]{6});/g)].map(([, name = "", color = ""]) => [name, color]),
    ),
  );
  return themes.filter((theme) => "ink" in theme);
}

/** How far two colours are from one another (WCAG 2.2, contrast ratio): from 1 to 21. */
export function contrastOf(one = "", other = ""): number {
  const [lighter = 0, darker = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((left, right) => right - left);
  return (lighter + 0.05) / (darker + 0.05);
}

/** WCAG 2.2, relative luminance. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) =>
    linear(Number.parseInt(color.slice(start, start + 2), 16) / 255),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}
