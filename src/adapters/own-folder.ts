import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

type Variables = Readonly<Record<string, string | undefined>>;

/** The folder in which the user's machine keeps what Kredo must not lose; in Kredo's own image it is /data. */
export function ownFolder(env: Variables, platform: NodeJS.Platform = process.platform): string {
  if (env["KREDO_IMAGE"]) return "/data";
  const home = env["HOME"] || homedir();
  if (platform === "win32") return join(env["LOCALAPPDATA"] || join(home, "AppData", "Local"), "kredo");
  if (platform === "darwin") return join(home, "Library", "Application Support", "kredo");
  // A relative path counts as unset (XDG Base Directory Specification 0.8).
  const said = env["XDG_DATA_HOME"] ?? "";
  return join(isAbsolute(said) ? said : join(home, ".local", "share"), "kredo");
}
