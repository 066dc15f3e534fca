import { ClientError } from '@millrace/client'
import type { ReactNode } from 'react'
import { InputError } from '#src/api/json.ts'
import { adviceFor } from '#src/api/advice.ts'
import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'
import { CopyButton } from '#src/ui/id.tsx'

/** An error with what happened, what to do, and what to quote. */
export function ProblemPanel({
  error,
  retry,
  children,
}: {
  readonly error: unknown
  readonly retry?: () => void
  readonly children?: ReactNode
}) {
  const { title, detail, advice, requestId, parts } = wordsOf(error)
  return (
    <section className="problem" role="alert">
      <h2>{title}</h2>
      <p className="i2">{detail}</p>
      {parts.length > 0 && (
        <ul className="t13">
          {parts.map((part) => (
            <li key={`${part.pointer}${part.detail}`}>
              <bdi className="mono">{part.pointer}</bdi> {part.detail}
            </li>
          ))}
        </ul>
      )}
      {advice !== undefined && <p>{advice}</p>}
      <div className="row wrap">
        {retry !== undefined && <Button onClick={retry}>{m.common.tryAgain}</Button>}
        {children}
        {requestId !== '' && (
          <span className="t12 i3 row">
            <bdi className="mono">{requestId.slice(0, 13)}</bdi>
            <CopyButton text={requestId} label={m.common.copyRequestId} />
          </span>
        )}
      </div>
    </section>
  )
}

interface Words {
  readonly title: string
  readonly detail: string
  readonly advice: string | undefined
  readonly requestId: string
  readonly parts: readonly { readonly pointer: string; readonly detail: string }[]
}

/** Where a program finds the parts; a person sees them below. */
const memberOfReply = /; see `\w+`(?=\.$)/

/** Title, detail and advice for anything that was thrown. */
export function wordsOf(error: unknown): Words {
  if (error instanceof ClientError) {
    const { code, title, detail, requestId, errors = [] } = error.problem
    const titles: Readonly<Record<string, string | undefined>> = m.problemTitles
    return {
      title: titles[code] ?? title,
      detail: detail.replace(memberOfReply, ''),
      requestId,
      parts: [...errors, ...findingsOf(error.problem)],
      advice: adviceFor(error),
    }
  }
  if (error instanceof TypeError) return { ...m.problems.away, advice: undefined, requestId: '', parts: [] }
  return {
    title: error instanceof InputError ? m.problems.typed : m.problems.bug,
    detail: error instanceof Error ? error.message : String(error),
    advice: undefined,
    requestId: '',
    parts: [],
  }
}

/** What is wrong with a definition, as `diagnostics` of the problem: the errors of it, with their places. */
function findingsOf({ diagnostics }: Readonly<Record<string, unknown>>): Words['parts'] {
  if (!Array.isArray(diagnostics)) return []
  return diagnostics.flatMap((finding: { readonly severity?: unknown; readonly pointer?: unknown; readonly message?: unknown } | null) => {
    const { severity, pointer, message } = finding ?? {}
    return severity === 'error' && typeof message === 'string'
      ? [{ pointer: typeof pointer === 'string' ? pointer : '', detail: message }]
      : []
  })
}
