import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { filesOnDisk } from "../../../src/gateway/adapters/files/files-on-disk.ts";

test("reads a file, and tells a missing one from one that cannot be read", () => {
  const here = fileURLToPath(import.meta.url);

  expect(filesOnDisk.read(here)).toEqual({ text: expect.stringContaining("tells a missing one") });
  expect(filesOnDisk.read(`${here}.missing`)).toEqual({ missing: true });
  expect(filesOnDisk.read(fileURLToPath(new URL(".", import.meta.url)))).toEqual({ unreadable: "it is a folder" });
});
