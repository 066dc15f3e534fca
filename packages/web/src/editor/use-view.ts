import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'

export const views = ['flow', 'both', 'text'] as const
export type View = (typeof views)[number]

const viewKey = 'millrace.editor.view'

/** The view of the editor; a choice is kept on the device. What an address asks for is beside the flow. */
export function useView(): readonly [View, (view: View) => void] {
  const { at }: { at?: string } = useSearch({ strict: false })
  const [view, setView] = useState<View>(() => {
    const chosen = views.find((one) => one === localStorage.getItem(viewKey)) ?? 'flow'
    return at !== undefined && chosen === 'text' ? 'flow' : chosen
  })
  return [
    view,
    (next) => {
      localStorage.setItem(viewKey, next)
      setView(next)
    },
  ]
}
