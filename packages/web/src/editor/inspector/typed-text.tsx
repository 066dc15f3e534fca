import { useTyped } from '#src/editor/inspector/use-typed.ts'

interface TypedTextProps {
  readonly label: string
  readonly value: string
  readonly lines?: boolean
  /** Why a text is not written. */
  readonly problemOf?: (text: string) => string | undefined
  readonly onCommit: (text: string) => void
}

/** A text, no expression, that becomes one change when it rests or is left. */
export function TypedText({ label, value, lines = false, problemOf = () => undefined, onCommit }: TypedTextProps) {
  const { text, change, leave } = useTyped(value, (typed) => {
    if (problemOf(typed) === undefined) onCommit(typed)
  })
  const problem = problemOf(text)
  const common = {
    className: problem === undefined ? 'input' : 'input bad',
    'aria-label': label,
    'aria-invalid': problem !== undefined || undefined,
    dir: 'auto',
    value: text,
    onBlur: leave,
  }
  return (
    <>
      {lines ? (
        <textarea {...common} rows={Math.max(2, text.split('\n').length)} onChange={({ target }) => change(target.value)} />
      ) : (
        <input {...common} placeholder={label} onChange={({ target }) => change(target.value)} />
      )}
      {problem !== undefined && (
        <p className="t12 c-bad" role="alert">
          {problem}
        </p>
      )}
    </>
  )
}

/** The lines of a text that are not empty, each once. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return [...new Set(lines.filter(Boolean))]
}
