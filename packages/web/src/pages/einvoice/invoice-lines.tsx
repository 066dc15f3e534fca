import { Fragment, useId } from 'react'
import { m } from '#src/messages/messages.ts'
import { Button, IconButton } from '#src/ui/button.tsx'
import { Icon } from '#src/ui/icon.tsx'

/** One line of an invoice as a person types it. */
export interface LineDraft {
  readonly name: string
  readonly quantity: string
  readonly unitPrice: string
  readonly rate: string
}

export const emptyLine: LineDraft = { name: '', quantity: '1', unitPrice: '', rate: '19' }

const members = ['name', 'quantity', 'unitPrice', 'rate'] as const

interface InvoiceLinesProps {
  readonly lines: readonly LineDraft[]
  /** By the name of the field, such as `lines.0.unitPrice`. */
  readonly errors: Readonly<Record<string, string>>
  readonly onChange: (lines: readonly LineDraft[]) => void
}

/** The lines of an invoice: what, how many, for how much, with which tax. */
export function InvoiceLines({ lines, errors, onChange }: InvoiceLinesProps) {
  const e = m.einvoice
  const id = useId()
  const set = (at: number, change: Partial<LineDraft>) =>
    onChange(lines.map((line, index) => (index === at ? { ...line, ...change } : line)))
  return (
    <div className="lines">
      {lines.map((line, index) => (
        <Fragment key={index}>
          <div className="line-row">
            {members.map((member) => (
              <div key={member} className="field">
                <span className="lbl" aria-hidden="true">
                  {e.line[member]}
                </span>
                <input
                  className={`${member === 'name' ? 'input' : 'input num'} ${errors[`lines.${index}.${member}`] === undefined ? '' : 'bad'}`}
                  aria-invalid={errors[`lines.${index}.${member}`] !== undefined || undefined}
                  aria-describedby={`${id}-${index}`}
                  aria-label={`${e.line[member]} ${index + 1}`}
                  required
                  inputMode={member === 'name' ? 'text' : 'decimal'}
                  value={line[member]}
                  onChange={(event) => set(index, { [member]: event.target.value })}
                />
              </div>
            ))}
            <IconButton
              icon="x"
              label={`${m.common.remove}: ${index + 1}`}
              disabled={lines.length === 1}
              onClick={() => onChange(lines.filter((_, at) => at !== index))}
            />
          </div>
          <div id={`${id}-${index}`}>
            {members.map((member) => {
              const error = errors[`lines.${index}.${member}`]
              return error === undefined ? null : (
                <p key={member} className="t13 c-bad row" role="alert">
                  <Icon name="warn" />
                  {e.line[member]}: {error}
                </p>
              )
            })}
          </div>
        </Fragment>
      ))}
      <div className="row">
        <Button size="sm" icon="plus" onClick={() => onChange([...lines, emptyLine])}>
          {e.addLine}
        </Button>
      </div>
    </div>
  )
}
