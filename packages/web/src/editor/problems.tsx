import { useEffect, useRef, useState } from 'react'
import type { Finding } from '#src/editor/diagnose.ts'
import { FindingText } from '#src/editor/finding-text.tsx'
import { FixButtons, usePlaceOf } from '#src/editor/fixing.tsx'
import { m } from '#src/messages/messages.ts'
import { Icon } from '#src/ui/icon.tsx'

/** Corrections are tried before they are offered; of very many findings the first ones. */
const fixesShownMax = 20

interface FindingsProps {
  readonly findings: readonly Finding[]
  readonly goTo: (finding: Finding) => void
}

/**
 * How many findings there are, and the list on request.
 * @param isChecked whether the findings are those of the text as it is now: without, no findings mean nothing.
 */
export function Problems({ findings, isChecked, goTo }: FindingsProps & { readonly isChecked: boolean }) {
  const [open, setOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!open) return undefined
    const away = ({ target }: Event) => {
      if (target instanceof Node && place.current?.contains(target) !== true) setOpen(false)
    }
    document.addEventListener('pointerdown', away)
    return () => document.removeEventListener('pointerdown', away)
  }, [open])
  return (
    <div
      className="problems"
      ref={place}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return
        event.preventDefault()
        setOpen(false)
        button.current?.focus()
      }}
    >
      <button
        type="button"
        ref={button}
        className={findings.some(isError) ? 'btn quiet c-bad' : 'btn quiet'}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        disabled={findings.length === 0}
      >
        {(isChecked || findings.length > 0) && <Icon name={findings.length === 0 ? 'check' : 'warn'} />}
        {findings.length > 0 ? (
          m.editor.problemCount(findings.length)
        ) : isChecked ? (
          m.editor.noProblems
        ) : (
          <span className="late">{m.editor.checking}</span>
        )}
      </button>
      {open && findings.length > 0 && (
        <FindingList
          findings={findings}
          goTo={(finding) => {
            setOpen(false)
            goTo(finding)
          }}
        />
      )}
    </div>
  )
}

/** Findings as buttons that lead to their places, with their corrections. */
export function FindingList({ findings, goTo }: FindingsProps) {
  const placeOf = usePlaceOf()
  return (
    <ul className="problem-list">
      {findings.map((finding, index) => (
        <li key={`${finding.line}.${finding.column}.${finding.message}`}>
          <button type="button" onClick={() => goTo(finding)}>
            <span className={isError(finding) ? 'c-bad' : 'c-wait'}>
              <Icon name="warn" />
            </span>
            <span>
              <FindingText finding={finding} />
            </span>
            <span className="sp" />
            <span className="t12 i3 place trunc">
              <bdi>{placeOf(finding)}</bdi>
            </span>
          </button>
          {index < fixesShownMax && <FixButtons finding={finding} />}
        </li>
      ))}
    </ul>
  )
}

export function isError({ severity }: Finding): boolean {
  return severity === 'error'
}
