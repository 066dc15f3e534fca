import { isObject } from '#src/document/task-json.ts'
import { useConnectionNames } from '#src/editor/functions/use-functions.ts'
import { useForm } from '#src/editor/inspector/form-context.ts'
import { callWithConnection } from '#src/editor/inspector/connection/call-with-connection.ts'
import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'

interface UseConnectionProps {
  readonly task: string
  readonly icon?: 'check'
}

/** Turns an HTTP request into one with a connection: the only one that fits, or one that is chosen then. */
export function UseConnection({ task, icon }: UseConnectionProps) {
  const { set } = useForm()
  const [only = '', ...others] = useConnectionNames('http.request') ?? []
  const connection = others.length === 0 ? only : ''
  return (
    <Button
      size="sm"
      icon={icon ?? 'key'}
      onClick={() => set(task, (now) => (isObject(now) ? callWithConnection(now, connection) : (now ?? null)))}
    >
      {m.flowEditor.useConnection}
    </Button>
  )
}
