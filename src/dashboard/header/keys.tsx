import type { JSX } from "preact";
import { Drawer } from "../parts/dialogs.tsx";
import { ACTIONS, areKeysShown } from "../base/keys.ts";
import { VIEWS } from "../base/route.ts";

/** Each with what it does. */
const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ["/", "search"],
  ["?", "show this list"],
  ["Esc", "close what is open"],
  ["j k", "next and previous row, as the arrow keys do"],
  ["Enter", "open the row"],
  ...Object.entries(ACTIONS),
  ...VIEWS.map(({ title, key }) => [`g ${key}`, `go to ${title}`] as const),
];

export function Keys(): JSX.Element {
  return (
    <Drawer title="Keys" onClose={() => void (areKeysShown.value = false)}>
      <table>
        <tbody>
          {KEYS.map(([keys, does]) => (
            <tr key={keys}>
              <th scope="row">
                <kbd>{keys}</kbd>{" "}
              </th>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Drawer>
  );
}
