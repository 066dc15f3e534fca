import type { groups, Reply } from '@millrace/contract'
import { m } from '#src/messages/messages.ts'
import { Attached } from '#src/pages/assistant/attached.tsx'
import type { Turn } from '#src/pages/assistant/use-chat.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { Markdown } from '#src/values/markdown.tsx'

type Message = Reply<(typeof groups)['assistant']['conversation']>['messages'][number]

interface MessagesProps {
  readonly conversation: string | undefined
  readonly messages: readonly Message[]
  /** The question under way. */
  readonly turn?: Turn
}

/** What was said, with what the assistant proposed at the messages that proposed it. */
export function Messages({ conversation, messages, turn }: MessagesProps) {
  return (
    <>
      {messages.map(({ id, role, text, proposals, drafts }) => (
        <article key={id} className={`said ${role}`}>
          <Who role={role} />
          {role === 'user' ? <UserText text={text} /> : <Markdown text={text} />}
          {conversation !== undefined && <Attached conversation={conversation} proposals={proposals} drafts={drafts} />}
        </article>
      ))}
      {turn !== undefined && <Running turn={turn} />}
    </>
  )
}

function Who({ role }: { readonly role: Message['role'] }) {
  return (
    <p className="t12 i3 row">
      <Icon name={role === 'user' ? 'people' : 'assist'} />
      {m.assistant.who[role]}
    </p>
  )
}

function UserText({ text }: { readonly text: string }) {
  return (
    <p className="prewrap" dir="auto">
      {text}
    </p>
  )
}

function Running({ turn: { asked, text, tools } }: { readonly turn: Turn }) {
  const a = m.assistant
  const words: Readonly<Record<string, string>> = a.tools
  return (
    <>
      <article className="said user">
        <Who role="user" />
        <UserText text={asked} />
      </article>
      <article className="said assistant">
        <Who role="assistant" />
        {tools.length > 0 && (
          <p className="row wrap">
            {tools.map((tool, index) => (
              <Badge key={`${index}.${tool}`} tone="line">
                {words[tool] ?? tool}
              </Badge>
            ))}
          </p>
        )}
        {text === '' ? <p className="i3 thinking">{a.thinking}</p> : <Markdown text={text} />}
      </article>
    </>
  )
}
