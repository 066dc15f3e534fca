import '#src/styles/tokens.css'
import '#src/styles/ui.css'
import '#src/styles/app.css'
import { boot } from '#src/boot.ts'
import { loadFirstMessages, loadMessages } from '#src/messages/messages.ts'
import { knownSession } from '#src/session/known-session.ts'

const loadFrame = () => Promise.all([import('#src/app/routed.tsx'), import('#src/app/framed.tsx')])

// Texts first: modules of pages read them while they load.
await loadFirstMessages(boot.locale)
// Who was signed in needs the frame; it loads while the session is asked for. A failure shows when the page needs it.
if (knownSession.exists())
  void loadMessages()
    .then(loadFrame)
    .catch(() => undefined)
const { start } = await import('#src/app/start.tsx')
await start()
