import { useState } from 'react'
import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'
import { jsonDifferences } from '#src/values/json-diff.ts'

/** At first. */
const shownMax = 5
const differencesMax = 100

/** The places at which two values differ, with both values of each. */
export function JsonDiffView({ left, right }: { readonly left: unknown; readonly right: unknown }) {
  const [all, setAll] = useState(false)
  const differences = jsonDifferences(left, right, differencesMax)
  if (differences.length === 0) return <p className="i3 t13">{m.compare.equal}</p>
  const shown = all ? differences : differences.slice(0, shownMax)
  return (
    <>
      <table className="jdiff">
        <thead className="vh">
          <tr>
            <th scope="col">{m.compare.place}</th>
            <th scope="col">A</th>
            <th scope="col">B</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ path, left: one, right: other }) => (
            <tr key={path}>
              <th scope="row">
                <bdi dir="ltr">{path}</bdi>
              </th>
              <td className="gone">
                <Value value={one} />
              </td>
              <td className="came">
                <Value value={other} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < differences.length && (
        <Button size="sm" look="quiet" onClick={() => setAll(true)}>
          {m.compare.more(differences.length - shown.length)}
        </Button>
      )}
    </>
  )
}

const charactersMax = 400

function Value({ value }: { readonly value: unknown }) {
  if (value === undefined) return <span className="i3">{m.compare.missing}</span>
  const text = JSON.stringify(value)
  return <bdi dir="ltr">{text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text}</bdi>
}
