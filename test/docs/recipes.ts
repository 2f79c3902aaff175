/** A change of a recipe's file, or a file that is added to it. */
export type Edit = readonly [file: string, change: (text: string) => string];

/** A recipe of the documentation, and how it runs under `kredo exec`. */
export interface Recipe {
  readonly name: string;
  readonly folder: string;
  /** Packages of this project that it needs. */
  readonly packages?: string;
  /** Programs and files that have to be on the machine. */
  readonly needs?: readonly string[];
  /** Before `kredo exec`. */
  readonly prepare?: string;
  /** In front of `kredo exec --fail-on defect`. */
  readonly variables?: string;
  /** What follows `kredo exec --fail-on defect`. */
  readonly exec: string;
  readonly edits?: readonly Edit[];
  /** Sends an order again whose response was lost. The command still ends with 0. */
  readonly plant: readonly Edit[];
}

const INSTALL = "npm install --prefer-offline --no-audit --no-fund --silent";
const JARS = "$(ls /usr/share/java/{junit-jupiter,junit-platform,opentest4j,apiguardian,picocli}*.jar | paste -sd:)";
/** The options of a request whose response is always lost. */
export const LOST_ORDER = `{ method: "POST", headers: { "content-type": "application/json" }, body: '{"phone_number":"254700000602","amount":"100"}' }`;

/** Tests that drive an application on an account of their own. */
export const TEST_RECIPES: readonly Recipe[] = [
  {
    name: "Vitest",
    folder: "docs/recipes/vitest",
    prepare: INSTALL,
    exec: "-- npm test",
    plant: [
      added(
        "again.test.js",
        `import { test } from "kredo/vitest";
        test("orders again", async ({ account }) => {
          const order = () => account.fetch("/api/v2/airtime", ${LOST_ORDER});
          await order().catch(order).catch(() => {});
        });`,
      ),
    ],
  },
  {
    name: "Jest",
    folder: "docs/recipes/jest",
    prepare: INSTALL,
    exec: "-- npm test",
    plant: [
      added(
        "again.test.js",
        `import { test } from "@jest/globals";
        import { useAccount } from "kredo/jest";
        const kredo = useAccount();
        test("orders again", async () => {
          const order = () => kredo.account.fetch("/api/v2/airtime", ${LOST_ORDER});
          await order().catch(order).catch(() => {});
        });`,
      ),
    ],
  },
  {
    name: "PHPUnit",
    folder: "docs/recipes/phpunit",
    needs: ["phpunit", "php"],
    prepare: "cp node_modules/kredo/clients/php/Kredo.php tests/",
    exec: "-- phpunit",
    plant: [
      [
        "tests/TopUpsTest.php",
        replaced(
          "    public function testBooks",
          `    public function testOrdersAgain(): void
          {
              $this->topUps->sell('254700000602', '100');
              self::assertSame(['outcome' => 'unknown'], $this->topUps->sell('254700000602', '100'));
          }

          public function testBooks`,
        ),
      ],
    ],
  },
  {
    name: "pytest",
    folder: "docs/recipes/pytest",
    needs: ["python3"],
    prepare: "cp -r node_modules/kredo/clients/python/kredo .",
    exec: "-- python3 -m pytest",
    plant: [
      added(
        "test_again.py",
        `def test_orders_again(top_ups):\n    assert top_ups.sell("254700000602", "100") == top_ups.sell("254700000602", "100")\n`,
      ),
    ],
  },
  {
    name: "Python's with",
    folder: "docs/recipes/pytest",
    needs: ["python3"],
    prepare: "cp -r node_modules/kredo/clients/python/kredo .",
    exec: "-- python3 with_account.py",
    edits: [
      added(
        "with_account.py",
        `import kredo
from top_ups import TopUps

with kredo.connect().open_account() as account:
    TopUps(account.base_url, account.key, account.secret).sell("254700000602", "100")
`,
      ),
    ],
    plant: [["with_account.py", (text) => text.replace(/^.*sell.*\n/m, "$&$&")]],
  },
  {
    name: "JUnit",
    folder: "docs/recipes/junit",
    needs: ["javac", "/usr/share/java/junit-platform-console.jar"],
    prepare: `cp -r node_modules/kredo/clients/java/kredo test/ && javac -d out -cp "${JARS}" src/*.java test/*.java test/kredo/*.java`,
    exec: `-- java -cp "out:${JARS}" org.junit.platform.console.ConsoleLauncher --scan-classpath out`,
    plant: [
      [
        "test/TopUpsTest.java",
        replaced(
          "    @Test\n    void books",
          `    @Test
          void ordersAgain() throws Exception {
              topUps.sell("254700000603", "100");
              assertEquals(TopUps.Outcome.UNKNOWN, topUps.sell("254700000603", "100").outcome());
          }

          @Test
          void books`,
        ),
      ],
    ],
  },
];

export function added(file: string, text: string): Edit {
  return [file, () => text];
}

export function replaced(from: string, to: string): Edit[1] {
  return (text) => {
    if (!text.includes(from)) throw new Error(`there is no ${from}`);
    return text.replace(from, () => to);
  };
}
