import '#src/styles/flow-editor.css'
import { type Workflow, useDocument } from '#src/editor/use-document.ts'
import type { Finding } from '#src/editor/diagnose.ts'
import { useAskedStep } from '#src/editor/use-asked-step.ts'
import { EditorScreen } from '#src/editor/editor-screen.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { useState } from 'react'

/** The definition of a workflow as flow and text, with the ways to publish and run it. */
export function DefinitionEditor({ workflow }: { readonly workflow: Workflow }) {
  const [refused, setRefused] = useState<readonly Finding[]>([])
  const open = useDocument(workflow, setRefused)
  useAskedStep(open?.doc)
  if (open === undefined) return <Skeleton />
  return <EditorScreen workflow={workflow} open={open} refused={refused} onRefused={setRefused} />
}
