import { expect, test } from "vitest";
import type { Files } from "../../../src/gateway/adapters/files/files-on-disk.ts";
import { loadScenarios, type WantedScenario } from "../../../src/load-scenarios.ts";
import { openShippedScenarios } from "../../../src/gateway/adapters/files/shipped-scenarios.ts";

const shippedScenarios = await openShippedScenarios();

const FILES: Readonly<Record<string, string>> = {
  "here/mine.yaml": "version: 1\nname: mine\n",
  "/there/other.json": '{ "version": 1, "name": "other" }',
  "broken.yaml":
    "version: 1\nname: broken\nrules:\n  - name: r\n    then: { refuze: 403 }\n  - name: s\n    then: { refuse: 200 }\n",
};

test("finds a shipped scenario by its name, and reads it once", () => {
  const found = shippedScenarios.find("magic-numbers");

  expect(found?.name).toBe("magic-numbers");
  expect(shippedScenarios.find("magic-numbers")).toBe(found);
});

test.each(["no-such-scenario", "../../package", "magic-numbers.yaml", ""])("finds nothing by the name %j", (name) => {
  expect(shippedScenarios.find(name)).toBeUndefined();
});

test.each([
  [undefined, ["magic-numbers"]],
  [[], []],
  [["callback-never"], ["callback-never", "magic-numbers"]],
  [
    ["magic-numbers", "callback-never"],
    ["magic-numbers", "callback-never"],
  ],
])("asked for %j it loads %j: the default one comes unasked", async (references, names) => {
  const { loaded, problems } = await loadScenarios(references?.map(wanted), files);

  expect(loaded.map(({ scenario }) => scenario.name)).toEqual(names);
  expect(problems).toEqual([]);
});

test("resolves a path from the folder of the file that names it, and knows which file a scenario is from", async () => {
  const asked = [
    { ...wanted("./mine.yaml"), folder: "here" },
    { ...wanted("/there/other.json"), folder: "here" },
  ];

  const { loaded } = await loadScenarios(asked, files);

  expect(loaded.map(({ file }) => file)).toEqual(["here/mine.yaml", "/there/other.json", undefined]);
});

test.each([
  ["magic-nubmers", ['flag: "magic-nubmers" is not a shipped scenario; did you mean "magic-numbers"?']],
  ["./no.yaml", ['flag: "no.yaml" cannot be read (there is no such file); write the path of a scenario file']],
  [
    "broken.yaml",
    [
      'broken.yaml:5:13  rules[0].then.refuze is not a key; did you mean "refuse"?',
      "broken.yaml:7:21  rules[1].then.refuse: 200 refuses nothing unless its body is not the gateway's; add content_type: text/html and a body, or write 204 or 300 to 599",
    ],
  ],
])("says of %s what is wrong, and where", async (reference, problems) => {
  expect(await loadScenarios([wanted(reference)], files)).toMatchObject({ problems });
});

test("two of one name are a mistake", async () => {
  const { problems } = await loadScenarios([wanted("callback-never"), wanted("callback-never")], files);

  expect(problems).toEqual([
    'flag: a scenario called "callback-never" is loaded already; load it once, or give it another name',
  ]);
});

const files: Files = {
  read: (path) => {
    const text = FILES[path];
    return text === undefined ? { missing: true } : { text };
  },
};

function wanted(reference: string): WantedScenario {
  return { reference, place: "flag" };
}
