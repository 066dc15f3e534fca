import { type SyntheticEvent, useRef } from 'react'

interface TouchedFields {
  /** Handlers of the element around the fields. */
  readonly watch: { readonly onFocusCapture: (event: SyntheticEvent) => void; readonly onInputCapture: (event: SyntheticEvent) => void }
  /** Whether a field that is still shown has another value than before a person turned to it. */
  readonly isTyped: () => boolean
}

// What is searched is typed again in a moment, and a password is to be.
const fields = 'input:not([type="search"], [type="password"]), textarea, select, [contenteditable="true"]'

/** What a person typed or chose in the fields of an element. */
export function useTouchedFields(): TouchedFields {
  const before = useRef(new Map<Element, string>())
  const touched = useRef(new Set<Element>())
  return {
    watch: {
      onFocusCapture: ({ target }) => {
        if (isField(target) && !before.current.has(target)) before.current.set(target, valueOf(target))
      },
      onInputCapture: ({ target }) => {
        if (isField(target)) touched.current.add(target)
      },
    },
    isTyped: () => [...touched.current].some((field) => field.isConnected && valueOf(field) !== before.current.get(field)),
  }
}

function isField(target: EventTarget): target is Element {
  return target instanceof Element && target.matches(fields)
}

function valueOf(field: Element): string {
  if (field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type)) return String(field.checked)
  const hasValue = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement
  return hasValue ? field.value : field.textContent
}
