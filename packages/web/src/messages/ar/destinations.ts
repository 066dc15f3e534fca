import type { destinations as english } from '#src/messages/en/destinations.ts'

export const destinations: typeof english = {
  destinations: {
    title: 'الوجهات',
    empty: 'لا يُرسل السجل إلى نظام آخر.',
    create: 'إرسال إلى نظام',
    name: 'الاسم',
    kind: 'النوع',
    kinds: { http: 'HTTP، أسطر JSON', syslog: 'Syslog' },
    url: 'العنوان',
    host: 'المضيف',
    port: 'المنفذ',
    tls: 'مشفّر (TLS)',
    active: 'يُرسل',
    failing: 'يتعذر',
    paused: 'متوقف',
    test: 'إرسال اختبار',
    tested: 'وصل الاختبار.',
    resume: 'استئناف',
    remove: 'حذف الوجهة',
    removeText: 'لن يُرسل إليها شيء بعد ذلك.',
    secret: 'سر الوجهة',
    secretText: 'تُوقّع به الرسائل. يظهر مرة واحدة: احفظه الآن.',
  },
}
