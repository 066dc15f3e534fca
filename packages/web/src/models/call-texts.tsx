import type { groups, Reply } from '@millrace/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { answerOf, type Message, promptOf } from '#src/models/exchange.ts'

export type ModelCall = Reply<(typeof groups)['modelCalls']['list']>['data'][number]

/** What a model was sent and what it returned, as far as the account keeps it. */
export function CallTexts({ id }: { readonly id: string }) {
  const u = m.modelUse
  const call = useQuery({
    queryKey: ['model-calls', 'one', id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => api.modelCalls.get({ params: { id } }),
  })
  if (call.data === undefined) return <p className="t13 i3">{call.isError ? u.failed : m.common.loading}</p>
  const { prompt, answer, error, promptDigest } = call.data
  return (
    <div className="call-texts">
      {error !== null && (
        <p className="t13 c-bad" dir="auto">
          {error}
        </p>
      )}
      {promptDigest === null && <p className="t13 i2">{u.nothingSent}</p>}
      {promptDigest !== null && prompt === null && (
        <p className="t13 i2">
          {u.hashed} <Link to="/settings/models">{u.settings}</Link>
        </p>
      )}
      {prompt !== null && <Sent prompt={prompt} />}
      {answer !== null && (
        <>
          <h3 className="t12 i3">{u.returned}</h3>
          <Said message={answerOf(answer)} />
        </>
      )}
    </div>
  )
}

function Sent({ prompt }: { readonly prompt: string }) {
  const u = m.modelUse
  const { messages, tools } = promptOf(prompt)
  return (
    <>
      <h3 className="t12 i3">{u.sent}</h3>
      {messages.map((message, index) => (
        <Said key={index} message={message} />
      ))}
      {tools.length > 0 && (
        <details>
          <summary className="t12 i3">{u.tools(tools.length)}</summary>
          <p className="t12">
            <bdi className="mono">{tools.join(', ')}</bdi>
          </p>
        </details>
      )}
    </>
  )
}

function Said({ message: { role, text, name, pictures, toolCalls } }: { readonly message: Message }) {
  const u = m.modelUse
  const words: Readonly<Record<string, string>> = u.roles
  return (
    <div className="call-said">
      <b className="t12 i2">
        {words[role] ?? role}
        {name !== undefined && (
          <>
            {': '}
            <bdi className="mono">{name}</bdi>
          </>
        )}
      </b>
      {text !== '' && (
        <div className="t13 prewrap" dir="auto">
          {text}
        </div>
      )}
      {text === '' && toolCalls.length === 0 && <p className="t13 i3">{u.empty}</p>}
      {pictures > 0 && <p className="t12 i3">{Array.from({ length: pictures }, () => u.picture).join(', ')}</p>}
      {toolCalls.map((call, index) => (
        <pre key={index} className="json" dir="ltr" tabIndex={0}>
          {`${call.name}(${call.arguments})`}
        </pre>
      ))}
    </div>
  )
}
