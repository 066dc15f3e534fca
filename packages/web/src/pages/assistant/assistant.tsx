import { useParams } from '@tanstack/react-router'
import { Crumbs } from '#src/app/crumbs.tsx'
import { m } from '#src/messages/messages.ts'
import { Chat } from '#src/pages/assistant/chat.tsx'
import { Conversations } from '#src/pages/assistant/conversations.tsx'

/** The assistant: conversations at the inline start, the chosen one beside them. */
export function Page() {
  const { id }: { id?: string } = useParams({ strict: false })
  return (
    <div className="page wide assist">
      <Crumbs title={m.assistant.title}>
        <b>{m.assistant.title}</b>
      </Crumbs>
      <h1 className="vh">{m.assistant.title}</h1>
      <Conversations current={id} />
      <Chat key={id ?? ''} id={id} />
    </div>
  )
}
