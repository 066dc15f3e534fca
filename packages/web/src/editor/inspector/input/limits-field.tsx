import { useId } from 'react'
import { readLimits } from '#src/editor/inspector/input/input-limits.ts'
import { type InputKind, type InputLimit, lineMax } from '#src/editor/inspector/input/input-fields.ts'
import { useTyped } from '#src/editor/inspector/use-typed.ts'
import { m } from '#src/messages/messages.ts'

interface LimitsFieldProps {
  readonly kind: InputKind
  readonly limits: readonly InputLimit[]
  readonly onCommit: (limits: readonly InputLimit[]) => void
}

/** The limits of a field of the input, side by side. They are written together, so that one which the other forbids waits for it. */
export function LimitsField({ kind, limits, onCommit }: LimitsFieldProps) {
  const w = m.inputFields.limits
  const id = useId()
  const read = (text: string) => {
    const parts = text.split('\n')
    return readLimits(
      kind,
      limits.map(([key], index) => [key, parts[index] ?? '']),
    )
  }
  const { text, change, leave } = useTyped(limits.map(([, value]) => value ?? '').join('\n'), (typed) => {
    const { limits: next, problems } = read(typed)
    if (Object.keys(problems).length === 0) onCommit(next)
  })
  const parts = text.split('\n')
  const { problems } = read(text)
  return (
    <div className="row limits-row">
      {limits.map(([key], index) => (
        <div key={key}>
          <label className="t12 i2">
            {w[key]}
            <input
              className={problems[key] === undefined ? 'input' : 'input bad'}
              inputMode="decimal"
              autoComplete="off"
              dir="ltr"
              aria-invalid={problems[key] !== undefined || undefined}
              aria-describedby={problems[key] === undefined ? undefined : `${id}-${key}`}
              value={parts[index] ?? ''}
              onChange={({ target }) => change(parts.with(index, target.value).join('\n'))}
              onBlur={leave}
            />
          </label>
          {problems[key] !== undefined && (
            <p className="t12 c-bad" role="alert" id={`${id}-${key}`}>
              {w.problems[problems[key]](lineMax)}
            </p>
          )}
        </div>
      ))}
    </div>
  )
}
