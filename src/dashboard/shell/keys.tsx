import type { JSX } from "preact";
import { areKeysShown } from "../keys.ts";
import { Drawer } from "../parts/drawer.tsx";
import { PANELS } from "../route.ts";

export function Keys(): JSX.Element {
  return (
    <Drawer title="Keys" onClose={() => void (areKeysShown.value = false)}>
      <table>
        <tbody>
          <Key keys={["/"]} does="search in the panel" />
          <Key keys={["?"]} does="show this list" />
          <Key keys={["Esc"]} does="close what is open" />
          <Key keys={["j", "k"]} does="next and previous row, as the arrow keys do" />
          <Key keys={["Enter"]} does="open the row" />
          {PANELS.map(({ name, title, key }) => (
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
