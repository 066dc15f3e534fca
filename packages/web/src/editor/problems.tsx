import { useState } from 'react'
import type { Finding } from '#src/editor/diagnose.ts'
import { FixButton } from '#src/editor/fixing.tsx'
import { m } from '#src/messages/messages.ts'
import { Icon } from '#src/ui/icon.tsx'

/** Corrections are tried before they are offered; of very many findings the first ones. */
const fixesShownMax = 20

/** How many findings there are, and the list on request. */
export function Problems({ findings, goTo }: { readonly findings: readonly Finding[]; readonly goTo: (line: number) => void }) {
  const [open, setOpen] = useState(false)
  const errors = findings.some(({ severity }) => severity === 'error')
  return (
    <div className="problems">
      <button
        type="button"
        className={errors ? 'btn quiet c-bad' : 'btn quiet'}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        disabled={findings.length === 0}
      >
        <Icon name={findings.length === 0 ? 'check' : 'warn'} />
        {findings.length === 0 ? m.editor.noProblems : m.editor.problemCount(findings.length)}
      </button>
      {open && findings.length > 0 && (
        <ul className="problem-list">
          {findings.map((finding, index) => (
            <li key={`${finding.line}.${finding.column}.${finding.message}`}>
              <button type="button" onClick={() => goTo(finding.line)}>
                <span className={finding.severity === 'error' ? 'c-bad' : 'c-wait'}>
                  <Icon name="warn" />
                </span>
                <span>
                  {finding.message} {finding.hint !== undefined && <span className="i2">{finding.hint}</span>}
                </span>
                <span className="sp" />
                <span className="t12 i3 nowrap">{m.editor.line(finding.line)}</span>
              </button>
              {index < fixesShownMax && <FixButton finding={finding} />}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
