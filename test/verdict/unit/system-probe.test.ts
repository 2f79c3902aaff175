import { expect, test } from "vitest";
import { findContainer } from "../../../src/verdict/doctor/system-probe.ts";
import type { Files } from "../../../src/gateway/ports/files.ts";

function filesWith(texts: Readonly<Record<string, string>>): Files {
  return { read: (path) => (texts[path] === undefined ? { missing: true } : { text: texts[path] }) };
}

test.each([
  ["Docker's mark", { "/.dockerenv": "" }, {}, "Docker"],
  ["Podman's mark", { "/run/.containerenv": "" }, {}, "Podman"],
  ["a control group of Docker", { "/proc/1/cgroup": "12:pids:/docker/0123abcd\n" }, {}, "Docker"],
  ["a control group of a pod", { "/proc/1/cgroup": "0::/kubepods/besteffort/pod1\n" }, {}, "Kubernetes"],
  ["a control group of LXC", { "/proc/1/cgroup": "0::/lxc/one\n" }, {}, "container"],
  ["a pod's variables", { "/.dockerenv": "" }, { KUBERNETES_SERVICE_HOST: "10.0.0.1" }, "Kubernetes"],
  ["Kredo's image", { "/proc/1/cgroup": "0::/\n" }, { KREDO_IMAGE: "1" }, "container"],
  ["nothing", { "/proc/1/cgroup": "0::/init.scope\n" }, {}, undefined],
  ["nothing readable", {}, {}, undefined],
])("tells by %s where it runs", (_what, texts, env, container) => {
  expect(findContainer(filesWith(texts), env)).toBe(container);
});
