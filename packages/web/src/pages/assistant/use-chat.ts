import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { api } from '#src/api/client.ts'
import { readAgain } from '#src/pages/assistant/read-again.ts'
import { streamChat } from '#src/pages/assistant/stream-chat.ts'

/** A question under way: what was asked, what the assistant reads, and what it has said so far. */
export interface Turn {
  readonly asked: string
  readonly text: string
  readonly tools: readonly string[]
}

export interface ChatState {
  readonly turn: Turn | undefined
  readonly problem: unknown
  readonly ask: (message: string) => void
  readonly note: (message: string) => void
  readonly stop: () => void
}

/** Asks in a conversation, a new one unless given, and keeps the lists of the page in step; `onUnsent` gets a message that was not taken. */
export function useChat(conversationId: string | undefined, onUnsent: (message: string) => void): ChatState {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [turn, setTurn] = useState<Turn>()
  const [problem, setProblem] = useState<unknown>()
  const stopped = useRef<AbortController>(undefined)
  useEffect(() => () => stopped.current?.abort(), [])
  const within = conversationId === undefined ? {} : { conversationId }
  const answered = async (id: string) => {
    await readAgain(queries)
    if (id !== conversationId) await navigate({ to: `/assistant/${id}` })
  }
  const ask = (message: string) => {
    const control = new AbortController()
    stopped.current = control
    setProblem(undefined)
    setTurn({ asked: message, text: '', tools: [] })
    const change = (next: (before: Turn) => Turn) => setTurn((before) => before && next(before))
    let isTaken = false
    const listener = {
      onTaken: () => {
        isTaken = true
      },
      onText: (piece: string) => change((before) => ({ ...before, text: before.text + piece })),
      onTool: (name: string) => change((before) => ({ ...before, tools: [...before.tools, name] })),
    }
    streamChat({ message, ...within }, listener, control.signal)
      .then(({ conversationId: id }) => answered(id))
      .catch(async (error: unknown) => {
        if (!control.signal.aborted) {
          setProblem(error)
          if (!isTaken) onUnsent(message)
        }
        await readAgain(queries)
      })
      .finally(() => setTurn(undefined))
  }
  const note = (message: string) => {
    setProblem(undefined)
    api.assistant
      .messages({ body: { message, ...within } })
      .then(({ conversationId: id }) => answered(id))
      .catch((error: unknown) => {
        setProblem(error)
        onUnsent(message)
      })
  }
  return { turn, problem, ask, note, stop: () => stopped.current?.abort() }
}
