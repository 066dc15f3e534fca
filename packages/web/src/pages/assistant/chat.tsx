import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '#src/api/client.ts'
import { ModelState } from '#src/models/model-state.tsx'
import { m } from '#src/messages/messages.ts'
import { Composer } from '#src/pages/assistant/composer.tsx'
import { withUnsent } from '#src/pages/assistant/message-text.ts'
import { Messages } from '#src/pages/assistant/messages.tsx'
import { useChat } from '#src/pages/assistant/use-chat.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Button } from '#src/ui/button.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'

/** One conversation, or the begin of one. */
export function Chat({ id }: { readonly id: string | undefined }) {
  const [text, setText] = useState('')
  const { turn, problem, ask, note, stop } = useChat(id, (message) => setText((before) => withUnsent(before, message)))
  const log = useRef<HTMLDivElement>(null)
  const end = useRef<HTMLDivElement>(null)
  const conversation = useQuery({
    queryKey: ['assistant', 'conversation', id],
    enabled: id !== undefined,
    queryFn: () => api.assistant.conversation({ params: { id: id ?? '' } }),
  })
  // What is said last stays in sight, also when cards below it arrive.
  useEffect(() => {
    if (log.current === null) return undefined
    const watching = new ResizeObserver(() => end.current?.scrollIntoView({ block: 'end' }))
    watching.observe(log.current)
    return () => watching.disconnect()
  }, [])
  const send = (message: string) => {
    setText('')
    ask(message)
  }
  const keep = (message: string) => {
    setText('')
    note(message)
  }
  return (
    <section className="chat" aria-label={conversation.data?.title ?? m.assistant.create}>
      <ModelState />
      <div className="chat-log" role="log" aria-busy={turn !== undefined} tabIndex={0} aria-label={m.assistant.log}>
        <div className="chat-in" ref={log}>
          {id === undefined ? (
            turn === undefined && <Begin ask={send} />
          ) : (
            <Loaded query={conversation}>{({ messages }) => <Messages conversation={id} messages={messages} />}</Loaded>
          )}
          {turn !== undefined && <Messages conversation={undefined} messages={[]} turn={turn} />}
          {problem !== undefined && <ProblemPanel error={problem} />}
        </div>
        <div ref={end} />
      </div>
      <Composer text={text} setText={setText} busy={turn !== undefined} send={send} note={keep} stop={stop} />
    </section>
  )
}

function Begin({ ask }: { readonly ask: (message: string) => void }) {
  return (
    <div className="begin">
      <h2 className="t20">{m.assistant.beginTitle}</h2>
      <p className="i2">{m.assistant.beginText}</p>
      <div className="row wrap">
        {m.assistant.suggestions.map((suggestion) => (
          <Button key={suggestion} size="sm" onClick={() => ask(suggestion)}>
            {suggestion}
          </Button>
        ))}
      </div>
    </div>
  )
}
