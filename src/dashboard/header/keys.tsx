import type { JSX } from "preact";
import { Drawer } from "../parts/dialogs.tsx";
import { ACTIONS, areKeysShown } from "../base/keys.ts";
import { VIEWS } from "../base/route.ts";

export function Keys(): JSX.Element {
  return (
    <Drawer title="Keys" onClose={() => void (areKeysShown.value = false)}>
      <table>
        <tbody>
          <Key keys={["/"]} does="search" />
          <Key keys={["?"]} does="show this list" />
          <Key keys={["Esc"]} does="close what is open" />
          <Key keys={["j", "k"]} does="next and previous row, as the arrow keys do" />
          <Key keys={["Enter"]} does="open the row" />
          {Object.entries(ACTIONS).map(([key, does]) => (
            <Key key={key} keys={[key]} does={does} />
          ))}
          {VIEWS.map(({ name, title, key }) => (
            <Key key={name} keys={["g", key]} does={`go to ${title}`} />
          ))}
        </tbody>
      </table>
    </Drawer>
  );
}

function Key({ keys, does }: { readonly keys: readonly string[]; readonly does: string }): JSX.Element {
  return (
    <tr>
      <th scope="row">
        {keys.map((key) => (
          <>
            <kbd>{key}</kbd>{" "}
          </>
        ))}
      </th>
      <td>{does}</td>
    </tr>
  );
}
