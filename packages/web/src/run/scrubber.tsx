import { useEffect, useState } from 'react'
import { m } from '#src/messages/messages.ts'
import type { Moments } from '#src/run/moments.ts'
import { Button, IconButton } from '#src/ui/button.tsx'
import { preciseTime } from '#src/values/format.ts'

interface ScrubberProps {
  readonly moments: Moments
  /** How many moments have passed in what the page shows; undefined shows the run as it is. */
  readonly at: number | undefined
  readonly onChange: (at: number | undefined) => void
}

/** A run is played in about this time, however long it took. */
const playMs = 12_000
const stepMs = { min: 30, max: 600 }

/** Shows the run as it was at any moment: by a slider, by steps, or played. */
export function Scrubber({ moments, at, onChange }: ScrubberProps) {
  const count = moments.list.length
  const now = at ?? count
  const [playing, setPlaying] = useState(false)
  useEffect(() => {
    if (!playing) return undefined
    const pause = Math.min(stepMs.max, Math.max(stepMs.min, playMs / Math.max(1, count)))
    const stride = Math.max(1, Math.round((count * pause) / playMs))
    const timer = setTimeout(() => {
      if (now + stride < count) onChange(now + stride)
      else {
        setPlaying(false)
        onChange(undefined)
      }
    }, pause)
    return () => clearTimeout(timer)
  }, [playing, now, count, onChange])
  if (count < 2) return null
  const go = (to: number) => {
    setPlaying(false)
    onChange(to >= count ? undefined : Math.max(0, to))
  }
  const play = () => {
    if (!playing && now >= count) onChange(0)
    setPlaying(!playing)
  }
  const words = momentWords(moments, now)
  return (
    <div className="scrubber" role="group" aria-label={m.runView.scrubber}>
      <div className="row">
        <IconButton icon="prev" label={m.runView.before} size="sm" disabled={now === 0} onClick={() => go(now - 1)} />
        <IconButton icon={playing ? 'stop' : 'play'} label={playing ? m.runView.stop : m.runView.play} size="sm" onClick={play} />
        <IconButton icon="next" label={m.runView.after} size="sm" disabled={now >= count} onClick={() => go(now + 1)} />
        <input
          type="range"
          min={0}
          max={count}
          step={1}
          value={now}
          aria-label={m.runView.moment}
          aria-valuetext={`${m.runView.momentOf(now, count)} ${words}`}
          onChange={(event) => go(Number(event.target.value))}
        />
        <span className="num nowrap t12 i2">{m.runView.momentOf(now, count)}</span>
      </div>
      {at !== undefined && (
        <div className="row asof">
          <span className="grow trunc">{words}</span>
          <Button size="sm" onClick={() => go(count)}>
            {m.runView.toEnd}
          </Button>
        </div>
      )}
    </div>
  )
}

function momentWords({ list, entries }: Moments, count: number): string {
  const moment = list[count - 1]
  const entry = moment === undefined ? undefined : entries[moment.index]
  if (moment === undefined || entry === undefined) return m.runView.notBegun
  const what = moment.ended ? m.runView.ended(entry.name, m.states[entry.state]) : m.runView.began(entry.name)
  const round = entry.iteration.length === 0 ? '' : ` (${entry.iteration.map((number) => number + 1).join('.')})`
  return `${preciseTime(moment.atMs)} · ${what}${round}`
}
