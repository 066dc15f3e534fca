import type { Json } from '@millrace/dsl'
import type { Edit } from '@millrace/dsl/edit'
import type { FlowDocument } from '#src/document/document-store.ts'
import type { Rename } from '#src/document/renames.ts'
import { isObject, jsonAt } from '#src/document/task-json.ts'
import type { Finding } from '#src/editor/diagnose.ts'
import { FieldControl } from '#src/editor/inspector/field-view.tsx'
import type { ActiveField, FormActions } from '#src/editor/inspector/form-context.ts'
import { toast } from '#src/ui/toast.tsx'

/** What a form shows. */
interface Shown {
  readonly json: Json
  readonly edition: number
  readonly task: string
}

/** The ways in which the fields of a form change the document. */
export function formActions(
  doc: FlowDocument,
  { json, edition, task }: Shown,
  findings: readonly Finding[],
  onActive: (field: ActiveField) => void,
): Omit<FormActions, 'lens'> {
  const present = (pointer: string) => doc.present(pointer, edition)
  /** Edits of what a pointer of the form leads to when their turn comes. A task that was removed meanwhile has none. */
  const edit = (pointer: string, plan: (now: Json, at: string) => readonly Edit[], renamed: readonly Rename[] = []) =>
    void doc
      .edit((now) => (jsonAt(now, present(task)) === undefined ? [] : plan(now, present(pointer))), {
        joined: true,
        select: false,
        renames: () => renamed.map(({ from, to }) => ({ from: present(from), to: present(to) })),
      })
      .then((fault) => {
        if (fault !== undefined) toast(fault.message, 'faulted')
      })
  return {
    json,
    Control: FieldControl,
    set: (pointer, value, renamed) =>
      edit(
        pointer,
        (now, at) => [{ kind: 'set', pointer: at, value: typeof value === 'function' ? value(jsonAt(now, at)) : value }],
        renamed === undefined ? [] : [renamed],
      ),
    unset: (pointer) =>
      edit(pointer, (now, at) => (jsonAt(now, at) === undefined ? [] : [{ kind: 'unset', pointer: at }, ...emptied(now, at)])),
    findings: (pointer) => findings.filter((finding) => finding.pointer === pointer),
    onActive,
  }
}

/** An optional object of which nothing remains goes with its last value. */
function emptied(json: Json | undefined, pointer: string): readonly { readonly kind: 'unset'; readonly pointer: string }[] {
  const around = pointer.slice(0, pointer.lastIndexOf('/'))
  const value = jsonAt(json, around)
  const key = around.slice(around.lastIndexOf('/') + 1)
  return ['input', 'output', 'export', 'metadata'].includes(key) && isObject(value) && Object.keys(value).length === 1
    ? [{ kind: 'unset', pointer: around }]
    : []
}
