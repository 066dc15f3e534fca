import type { groups, Reply } from '@millrace/contract'
import { type SyntheticEvent, useState } from 'react'
import { boot } from '#src/boot.ts'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'

type Questionnaire = Reply<(typeof groups)['dx']['questions']>
type Assessment = Reply<(typeof groups)['dx']['assess']>
type Answers = Readonly<Record<string, number | null>>

interface QuestionsProps {
  readonly questionnaire: Questionnaire
  readonly done: (result: Assessment) => void
}

/** The questions, one dimension a screen. What is not answered counts as not applicable. */
export function Questions({ questionnaire: { version, scale, dimensions }, done }: QuestionsProps) {
  const r = m.readiness
  const [at, setAt] = useState(0)
  const [answers, setAnswers] = useState<Answers>({})
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const dimension = dimensions[at]
  if (dimension === undefined) return null
  const isLast = at === dimensions.length - 1
  const assess = async () => {
    setBusy(true)
    try {
      done(await api.dx.assess({ body: { version, answers: { ...answers }, locale: boot.locale } }))
    } catch (error) {
      setProblem(error)
      setBusy(false)
    }
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (!isLast) {
      setAt(at + 1)
      document.querySelector('h2')?.scrollIntoView()
      return
    }
    void assess()
  }
  return (
    <form className="form" onSubmit={submit}>
      <p className="t13 i2">{r.part(at + 1, dimensions.length)}</p>
      <progress className="meter" max={dimensions.length} value={at + 1} aria-label={r.part(at + 1, dimensions.length)} />
      <h2 className="t20">{dimension.title}</h2>
      {dimension.questions.map(({ id, text }) => (
        <fieldset key={id} className="field checks">
          <legend className="b">{text}</legend>
          <div className="scale">
            {[...scale.map(({ value, label }) => [value, label] as const), [null, r.notApplicable] as const].map(([value, label]) => (
              <label key={label} className="row t13">
                <input
                  type="radio"
                  name={id}
                  checked={answers[id] === value && id in answers}
                  onChange={() => setAnswers({ ...answers, [id]: value })}
                />
                {label}
              </label>
            ))}
          </div>
        </fieldset>
      ))}
      {problem !== undefined && <ProblemPanel error={problem} />}
      <div className="row">
        {at > 0 && <Button onClick={() => setAt(at - 1)}>{m.common.back}</Button>}
        <Button type="submit" look="primary" busy={busy}>
          {isLast ? r.finish : r.next}
        </Button>
      </div>
    </form>
  )
}
