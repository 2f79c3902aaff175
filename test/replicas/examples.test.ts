import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { typeProblems } from "../support/manifest-types.ts";

const EXAMPLES = new URL("../../examples/replicas/", import.meta.url);
const manifests = readFileSync(new URL("kubernetes.yaml", EXAMPLES), "utf8");

test("the Kubernetes manifests are of Kubernetes' own types", () => {
  expect(typeProblems(manifests)).toBe("");
});

test.each([
  ["a key that Kubernetes does not know", "maxUnavailable: 1", "maxUnavailible: 1", "maxUnavailible"],
  ["text in place of a number", "replicas: 3", 'replicas: "three"', "is not assignable to type 'number'"],
  ["a container without a name", "- name: kredo\n          image", "- image", "'name' is missing"],
])("%s is found", (_, written, broken, complaint) => {
  expect(manifests).toContain(written);
  expect(typeProblems(manifests.replace(written, broken))).toContain(complaint);
});

test("the manifests belong together: labels, ports, names and keys", () => {
  const [secret, config, deployment, service, budget] = parseAllDocuments(manifests).map((document) => document.toJS());
  const { metadata, spec } = deployment.spec.template;
  const [container] = spec.containers;
  const keys = container.env.flatMap(
    ({ valueFrom }: { valueFrom: { secretKeyRef?: unknown } }) => valueFrom.secretKeyRef ?? [],
  );

  expect(metadata.labels).toEqual(deployment.spec.selector.matchLabels);
  expect(service.spec.selector).toEqual(metadata.labels);
  expect(budget.spec.selector.matchLabels).toEqual(metadata.labels);
  expect(service.spec.ports[0].targetPort).toBe(container.ports[0].name);
  expect(spec.volumes[0].configMap.name).toBe(config.metadata.name);
  expect(keys).toEqual(Object.keys(secret.stringData).map((key) => ({ name: secret.metadata.name, key })));
});

test("HAProxy takes its file, and looks for as many replicas as Compose starts", async () => {
  const { services } = parse(readFileSync(new URL("compose.yaml", EXAMPLES), "utf8"));
  const file = fileURLToPath(new URL("haproxy.cfg", EXAMPLES));

  await promisify(execFile)("haproxy", ["-c", "-f", file]);

  expect(readFileSync(file, "utf8")).toContain(`server-template replica ${services.kredo.deploy.replicas} kredo:8254`);
});
