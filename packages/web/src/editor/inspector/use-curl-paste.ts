import type { ClipboardEvent } from 'react'
import { isObject, jsonAt } from '#src/document/task-json.ts'
import { m } from '#src/messages/messages.ts'
import { toast } from '#src/ui/toast.tsx'
import { useForm } from '#src/editor/inspector/form-context.ts'

const ofEndpoint = /^(.*)\/with\/endpoint(?:\/uri)?$/

/** Pasting a command of curl as the address of an HTTP call fills in the whole call. What was typed into the field before is forgotten. */
export function useCurlPaste(pointer: string, forget: () => void) {
  const { json, set } = useForm()
  const [, task] = ofEndpoint.exec(pointer) ?? []
  if (task === undefined || jsonAt(json, `${task}/call`) !== 'http') return undefined
  return (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain')
    if (!/^\s*curl(?:\.exe)?\s/.test(text)) return
    event.preventDefault()
    forget()
    void import('#src/editor/inspector/curl-call.ts').then(({ readCurl, curlNotes }) => {
      const call = readCurl(text)
      if (call === undefined) return
      set(`${task}/with`, (now) => ({ ...(isObject(now) ? now : {}), ...call }))
      for (const note of curlNotes(text)) toast(m.flowEditor.curlNotes[note], 'faulted')
    })
  }
}
