import { ClientError } from '@millrace/client'
import type { groups, Problem, Reply } from '@millrace/contract'
import { useEffect, useRef, useState } from 'react'
import { accessToken } from '#src/session/session.ts'
import { sessionFetch } from '#src/session/session-fetch.ts'

/** Browsers offer a microphone only to pages over HTTPS, or of this machine. */
export const canDictate = typeof MediaRecorder === 'function' && typeof navigator.mediaDevices?.getUserMedia === 'function'

export interface Dictation {
  readonly state: 'off' | 'recording' | 'transcribing'
  /** Why the last one failed: the microphone, or the transcription. */
  readonly problem: unknown
  /** Asks for the microphone and records until `finish`. */
  readonly begin: () => void
  readonly finish: () => void
}

/** Records speech and gives its text. Leaving the page releases the microphone and drops what was recorded. */
export function useDictation(onText: (text: string) => void): Dictation {
  const [state, setState] = useState<Dictation['state']>('off')
  const [problem, setProblem] = useState<unknown>()
  const recorder = useRef<MediaRecorder>(undefined)
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
      release(recorder.current)
    }
  }, [])

  async function record(): Promise<void> {
    setProblem(undefined)
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
      const recording = new MediaRecorder(stream)
      if (isLeft.current) return release(recording)
      const parts: Blob[] = []
      recording.ondataavailable = ({ data }) => void parts.push(data)
      recording.onstop = () => {
        release(recording)
        if (!isLeft.current) void write(new Blob(parts, { type: recording.mimeType }))
      }
      recorder.current = recording
      recording.start()
      setState('recording')
    } catch (error) {
      setProblem(error)
    }
  }

  async function write(audio: Blob): Promise<void> {
    setState('transcribing')
    try {
      onText((await transcribe(audio)).text.trim())
    } catch (error) {
      setProblem(error)
    } finally {
      setState('off')
    }
  }

  return { state, problem, begin: () => void record(), finish: () => recorder.current?.stop() }
}

function release(recorder: MediaRecorder | undefined): void {
  if (recorder === undefined) return
  if (recorder.state !== 'inactive') recorder.stop()
  for (const track of recorder.stream.getTracks()) track.stop()
}

async function transcribe(audio: Blob): Promise<Reply<(typeof groups)['agent']['transcribe']>> {
  const headers = { 'content-type': audio.type || 'audio/webm', authorization: `Bearer ${(await accessToken()) ?? ''}` }
  const response = await sessionFetch('/api/v1/agent/transcribe', { method: 'POST', headers, body: audio })
  const body: unknown = await response.json()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The contract types both answers of this operation.
  if (!response.ok) throw new ClientError('agent.transcribe', body as Problem, undefined)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- As above.
  return body as Reply<(typeof groups)['agent']['transcribe']>
}
