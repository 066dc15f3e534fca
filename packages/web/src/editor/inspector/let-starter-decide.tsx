import type { Finding } from '#src/editor/diagnose.ts'
import { useForm } from '#src/editor/inspector/form-context.ts'
import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'

/** Corrects an approval that only the person who starts the workflow could decide, as in an account of one person. */
export function LetStarterDecide({ finding: { code, pointer } }: { readonly finding: Finding }) {
  const { set } = useForm()
  if (code !== 'starter_only_approval' || pointer === undefined) return null
  return (
    <Button size="sm" icon="check" onClick={() => set(pointer.replace(/approvers$/, 'excludeStarter'), false)}>
      {m.flowEditor.letStarterDecide}
    </Button>
  )
}
