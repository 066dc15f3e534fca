import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'

interface QuestionsProps {
  readonly questions: readonly string[]
  readonly send: (answers: string) => Promise<unknown>
  readonly back: () => void
}

/** What the model has to know before it can write the workflow. */
export function Questions({ questions, send, back }: QuestionsProps) {
  const named = questions.map((question, index) => [`answer${index}`, question] as const)
  const empty: Readonly<Record<string, string>> = Object.fromEntries(named.map(([name]) => [name, '']))
  return (
    <section className="panel acard words">
      <h2 className="t16 bb">{m.making.questions}</h2>
      <DataForm
        initial={empty}
        fields={named.map(([name, label], index) => ({ name, label, kind: 'textarea', rows: 2, required: true, autoFocus: index === 0 }))}
        send={(values) => send(named.map(([name, question]) => `${question} ${values[name] ?? ''}`).join('\n'))}
        label={m.making.answer}
        beside={
          <Button look="quiet" onClick={back}>
            {m.common.back}
          </Button>
        }
      />
    </section>
  )
}
