import { useState } from 'react'

export const views = ['flow', 'both', 'text'] as const
export type View = (typeof views)[number]

const viewKey = 'millrace.editor.view'

/** The view of the editor; a choice is kept on the device. */
export function useView(): readonly [View, (view: View) => void] {
  const [view, setView] = useState<View>(() => views.find((one) => one === localStorage.getItem(viewKey)) ?? 'flow')
  return [
    view,
    (next) => {
      localStorage.setItem(viewKey, next)
      setView(next)
    },
  ]
}
