import { ClientError } from '@millrace/client'
import type { groups, Reply } from '@millrace/contract'
import { m } from '#src/messages/messages.ts'
import { Icon } from '#src/ui/icon.tsx'

export type Diagnostic = Reply<(typeof groups)['ai']['generateWorkflow']>['diagnostics'][number]

/** Findings of the validator, without an editor to go to. */
export function Diagnostics({ findings }: { readonly findings: readonly Diagnostic[] }) {
  if (findings.length === 0) return null
  return (
    <ul className="needs-list">
      {findings.map(({ severity, message, hint, line, column }) => (
        <li key={`${line}.${column}.${message}`} className="row">
          <span className={severity === 'error' ? 'c-bad' : 'c-wait'}>
            <Icon name="warn" />
          </span>
          <span className="grow">
            {message} {hint !== undefined && <span className="i2">{hint}</span>}
          </span>
          <span className="t12 i3 nowrap">{m.editor.line(line)}</span>
        </li>
      ))}
    </ul>
  )
}

/** The findings that a refusal names. */
export function diagnosticsOf(error: unknown): readonly Diagnostic[] {
  const found: unknown = error instanceof ClientError ? error.problem['diagnostics'] : undefined
  return Array.isArray(found) ? found : []
}
