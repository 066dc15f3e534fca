import type { FileRule } from '#src/editor/inspector/input/input-fields.ts'
import { TypedText } from '#src/editor/inspector/typed-text.tsx'
import { m } from '#src/messages/messages.ts'

interface FileRuleProps {
  readonly rule: FileRule
  readonly onCommit: (rule: FileRule) => void
}

const kinds = ['', 'image/*', 'application/pdf', 'application/pdf, image/*'] as const
const bytesOfMegabyte = 1_000_000
/** The largest file that a start form takes. */
const megabytesMax = 20

/** Which files a field takes, and how large they may be. */
export function FileRuleField({ rule, onCommit }: FileRuleProps) {
  const w = m.inputFields.files
  const { types, bytesMax } = rule
  const words = { '': w.any, 'image/*': w.pictures, 'application/pdf': w.pdf, 'application/pdf, image/*': w.picturesOrPdf }
  return (
    <>
      <label className="t12 i2">
        {w.kinds}
        <select className="input" value={types} onChange={({ target }) => onCommit({ types: target.value, bytesMax })}>
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {words[kind]}
            </option>
          ))}
          {!kinds.some((kind) => kind === types) && <option value={types}>{types}</option>}
        </select>
      </label>
      <TypedText
        label={w.megabytes}
        value={bytesMax === undefined ? '' : String(bytesMax / bytesOfMegabyte)}
        problemOf={(text) => (isMegabytes(text) ? undefined : w.notMegabytes(megabytesMax))}
        onCommit={(text) => onCommit({ types, bytesMax: text.trim() === '' ? undefined : Math.round(Number(text) * bytesOfMegabyte) })}
      />
    </>
  )
}

function isMegabytes(text: string): boolean {
  const megabytes = Number(text)
  return text.trim() === '' || (megabytes > 0 && megabytes <= megabytesMax && Math.round(megabytes * bytesOfMegabyte) > 0)
}
