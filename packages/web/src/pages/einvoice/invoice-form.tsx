import type { groups, Reply } from '@millrace/contract'
import { useEffect, useRef } from 'react'
import { api } from '#src/api/client.ts'
import { InputError } from '#src/api/json.ts'
import { Field, type FieldSpec } from '#src/forms/field.tsx'
import { useForm } from '#src/forms/use-form.ts'
import { m } from '#src/messages/messages.ts'
import { InvoiceLines } from '#src/pages/einvoice/invoice-lines.tsx'
import { invoiceProblems } from '#src/pages/einvoice/invoice-problems.ts'
import { bodyOf, type InvoiceValues, kinds, type Part, parts, profiles, type Side, sides } from '#src/pages/einvoice/invoice-values.ts'
import { useLeaveQuestion } from '#src/patterns/use-leave-question.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Button } from '#src/ui/button.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { day, money } from '#src/values/format.ts'

type Einvoice = Reply<(typeof groups)['einvoice']['generate']>

interface InvoiceFormProps {
  readonly initial: InvoiceValues
  readonly done: (invoice: Einvoice) => void
}

/** The members of an invoice that most need; the operation takes more. */
export function InvoiceForm({ initial, done }: InvoiceFormProps) {
  const e = m.einvoice
  const ref = useRef<HTMLFormElement>(null)
  const usedAgain = useRef<string>(undefined)
  const { confirm, sheet } = useSheet()
  const { watch, release, question } = useLeaveQuestion()
  const form = useForm(initial, async (given) => {
    const body = bodyOf(given)
    const earlier = usedAgain.current === body.number ? undefined : await earlierWith(body.number)
    if (earlier !== undefined) {
      const { number, issueDate, buyer, total, currency } = earlier
      confirm(e.useAgain, e.isUsed(number, day(issueDate), buyer ?? '–', money(total, currency)), async () => {
        usedAgain.current = number
        form.submit()
      })
      return
    }
    const made = await api.einvoice.generate({ body }).catch((error: unknown) => {
      throw invoiceProblems(error)
    })
    release()
    done(made)
  })
  const { values, errors, problem, busy, set, submit } = form
  useEffect(() => {
    if (Object.keys(errors).length > 0) ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])
  const fields = (specs: readonly FieldSpec[]) => (
    <div className="field-grid">
      {specs.map((spec) => (
        <Field
          key={spec.name}
          spec={spec}
          value={values[spec.name]}
          error={errors[spec.name]}
          onChange={(value) => set(spec.name, value)}
        />
      ))}
    </div>
  )
  return (
    <form className="form invoice-form" onSubmit={submit} ref={ref} {...watch}>
      <section className="panel acard" aria-label={m.billing.kinds[values.kind]}>
        {fields(documentFields(values))}
      </section>
      <div className="cards2">
        {sides.map((side) => (
          <section key={side} className="panel acard" aria-label={e.sides[side]}>
            <h2 className="t16 bb">{e.sides[side]}</h2>
            {fields(partsOf(values).map((part) => partyField(side, part)))}
          </section>
        ))}
      </div>
      <section className="panel acard" aria-label={e.lines}>
        <h2 className="t16 bb">{e.lines}</h2>
        <InvoiceLines lines={values.lines} errors={errors} onChange={(lines) => set('lines', lines)} />
      </section>
      {errors[''] !== undefined && <ProblemPanel error={new InputError(errors[''])} />}
      {problem !== undefined && <ProblemPanel error={problem} />}
      <div className="row form-foot">
        <Button type="submit" look="primary" busy={busy}>
          {e.generate}
        </Button>
      </div>
      {sheet}
      {question}
    </form>
  )
}

/** The latest e-invoice with a number. */
async function earlierWith(number: string) {
  const { data } = await api.einvoice.list({ query: { number, limit: 1 } })
  return data[0]
}

function documentFields({ kind, profile }: InvoiceValues): readonly FieldSpec[] {
  const e = m.einvoice
  const isCreditNote = kind === 'credit_note'
  return [
    { name: 'number', label: e.number, required: true, hint: e.numberHint },
    { name: 'kind', label: e.kind, kind: 'select', options: kinds.map((one) => [one, m.billing.kinds[one]] as const) },
    ...(isCreditNote
      ? [
          { name: 'precedes', label: e.corrects, required: true },
          { name: 'note', label: e.reason, required: profile !== 'en16931' },
        ]
      : []),
    { name: 'profile', label: e.profile, kind: 'select', options: profiles.map((one) => [one, e.profiles[one]] as const) },
    { name: 'currency', label: e.currency, required: true },
    { name: 'issueDate', label: e.issueDate, kind: 'day', hint: e.issueDateHint },
    { name: 'dueDate', label: e.dueDate, kind: 'day' },
    { name: 'buyerReference', label: e.buyerReference, hint: e.buyerReferenceHint },
    { name: 'orderReference', label: e.orderReference },
    { name: 'account', label: e.account, hint: e.accountHint },
  ]
}

/** Buildings and districts are asked for by the Saudi rules only. */
function partsOf({ profile }: InvoiceValues): readonly Part[] {
  return profile === 'en16931' ? parts.filter((part) => part !== 'Building' && part !== 'District') : parts
}

function partyField(side: Side, part: Part): FieldSpec {
  const required = side === 'seller' && (part === 'Name' || part === 'Country')
  return { name: `${side}${part}`, label: m.einvoice.parts[part], required }
}
