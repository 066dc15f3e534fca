import { CopyButton } from '#src/ui/id.tsx'
import { m } from '#src/messages/messages.ts'

const linesMax = 400

/** A value as coloured JSON, with a button that copies the whole. */
export function JsonView({ value, title }: { readonly value: unknown; readonly title?: string | undefined }) {
  const text = JSON.stringify(value, undefined, 2) ?? 'null'
  const lines = text.split('\n')
  return (
    <div className="json-box">
      <div className="row t12 i3">
        <span>{title}</span>
        <span className="sp" />
        <CopyButton text={text} />
      </div>
      <pre className="json" dir="ltr" tabIndex={0}>
        {lines.slice(0, linesMax).map((line, index) => (
          <Line key={index} line={line} />
        ))}
      </pre>
      {lines.length > linesMax && <p className="t12 i3">{m.values.cut(lines.length - linesMax)}</p>}
    </div>
  )
}

const linePattern = /^(?<space>\s*)(?:(?<key>"(?:[^"\\]|\\.)*")(?<colon>: ))?(?<rest>.*)$/

function Line({ line }: { readonly line: string }) {
  const { space = '', key, colon = '', rest = '' } = linePattern.exec(line)?.groups ?? {}
  const plain = /^[[\]{},]*$/.test(rest)
  return (
    <>
      {space}
      {key !== undefined && <u>{key}</u>}
      {colon}
      {plain ? rest : <i>{rest}</i>}
      {'\n'}
    </>
  )
}
