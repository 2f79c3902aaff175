/** The width of a terminal for which reports are drawn. */
export const WIDTH = 80;

/** Select Graphic Rendition codes for on and off (ECMA-48, 8.3.117). */
const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

export type Color = keyof typeof CODES;

/** Emphasizes a text, or leaves it as it is. */
export type Paint = (color: Color, text: string) => string;

export function inColor(color: Color, text: string): string {
  const [on, off] = CODES[color];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}
