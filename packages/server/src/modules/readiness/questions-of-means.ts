import type { Dimension } from './model.ts'

export const dataDimension: Dimension = {
  id: 'data',
  title: { en: 'Data', ar: 'البيانات' },
  weight: 20,
  questions: [
    {
      id: 'data.source',
      text: { en: 'Each kind of data has one system that is right.', ar: 'لكل نوع من البيانات نظام واحد هو المرجع.' },
      step: {
        en: 'Decide for customers, products and prices which system is right.',
        ar: 'حدّد النظام المرجعي للعملاء والمنتجات والأسعار.',
      },
      weight: 3,
    },
    {
      id: 'data.quality',
      text: { en: 'Duplicates and gaps in our data are found and mended.', ar: 'تُكتشف التكرارات والنواقص في بياناتنا وتُصلح.' },
      step: { en: 'Clean the contacts regularly by rules.', ar: 'نظّف جهات الاتصال بانتظام وفق قواعد.' },
      weight: 2,
      templates: ['clean-contacts'],
    },
    {
      id: 'data.access',
      text: {
        en: 'People find the figures that they need without asking IT.',
        ar: 'يجد الموظفون الأرقام التي يحتاجونها دون سؤال قسم التقنية.',
      },
      step: { en: 'Send the most asked figures every morning.', ar: 'أرسل أكثر الأرقام طلبًا كل صباح.' },
      weight: 2,
      templates: ['daily-report'],
    },
    {
      id: 'data.import',
      text: { en: 'Data from partners arrives in a structured form.', ar: 'تصل بيانات الشركاء بشكل منظم.' },
      step: { en: 'Import data from partners page by page over an API.', ar: 'استورد بيانات الشركاء صفحة صفحة عبر واجهة برمجية.' },
      weight: 1,
      templates: ['paged-import'],
    },
  ],
}

export const integrationDimension: Dimension = {
  id: 'integration',
  title: { en: 'Systems and integration', ar: 'الأنظمة والتكامل' },
  weight: 15,
  questions: [
    {
      id: 'integration.apis',
      text: { en: 'Our main systems have APIs that we use.', ar: 'لأنظمتنا الرئيسية واجهات برمجية نستخدمها.' },
      step: {
        en: 'List the APIs of the main systems, and connect the two that exchange most.',
        ar: 'احصر واجهات الأنظمة الرئيسية واربط أكثر نظامين تبادلًا.',
      },
      weight: 3,
      templates: ['fastest-of-two'],
    },
    {
      id: 'integration.events',
      text: { en: 'Systems inform one another at once when something happens.', ar: 'تُعلم الأنظمة بعضها فورًا عند حدوث أمر ما.' },
      step: { en: 'Replace a nightly export by a webhook.', ar: 'استبدل التصدير الليلي بخطاف ويب.' },
      weight: 2,
      templates: ['webhook-relay'],
    },
    {
      id: 'integration.monitoring',
      text: { en: 'We notice within minutes that an interface has stopped.', ar: 'نلاحظ خلال دقائق توقف أي واجهة.' },
      step: {
        en: 'Watch the important interfaces, and notify a person when one stops.',
        ar: 'راقب الواجهات المهمة وأخطر شخصًا عند توقف إحداها.',
      },
      weight: 2,
      templates: ['poll-until-ready'],
    },
    {
      id: 'integration.cloud',
      text: { en: 'We know for every system where it runs and how it is replaced.', ar: 'نعرف لكل نظام أين يعمل وكيف يُستبدل.' },
      step: {
        en: 'Write an inventory of systems with owner, place and end of contract.',
        ar: 'اكتب جردًا للأنظمة بمالكها ومكانها ونهاية عقدها.',
      },
      weight: 1,
    },
  ],
}

export const peopleDimension: Dimension = {
  id: 'people',
  title: { en: 'People and culture', ar: 'الأفراد والثقافة' },
  weight: 10,
  questions: [
    {
      id: 'people.skills',
      text: {
        en: 'In every team someone can build or change a simple automation.',
        ar: 'في كل فريق من يستطيع بناء أتمتة بسيطة أو تعديلها.',
      },
      step: { en: 'Train one person of each team with a template.', ar: 'درّب شخصًا من كل فريق باستخدام قالب.' },
      weight: 3,
      templates: ['order-checks'],
    },
    {
      id: 'people.time',
      text: { en: 'People have time to improve how they work.', ar: 'لدى الموظفين وقت لتحسين طريقة عملهم.' },
      step: { en: 'Reserve two hours a month for improvements.', ar: 'خصّص ساعتين شهريًا للتحسينات.' },
      weight: 2,
    },
    {
      id: 'people.ideas',
      text: { en: 'Ideas are collected, answered and tried.', ar: 'تُجمع الأفكار ويُرد عليها وتُجرّب.' },
      step: { en: 'Collect ideas in a form, and respond to each within a week.', ar: 'اجمع الأفكار في نموذج ورد على كل منها خلال أسبوع.' },
      weight: 1,
      templates: ['answer-in-time'],
    },
    {
      id: 'people.change',
      text: { en: 'Those who are affected help to design a change.', ar: 'يشارك المتأثرون بالتغيير في تصميمه.' },
      step: { en: 'Ask those who do the work before you automate it.', ar: 'اسأل من يؤدي العمل قبل أتمتته.' },
      weight: 2,
    },
  ],
}

export const securityDimension: Dimension = {
  id: 'security',
  title: { en: 'Security and compliance', ar: 'الأمن والامتثال' },
  weight: 15,
  questions: [
    {
      id: 'security.access',
      text: { en: 'Every person has an own account with a second factor.', ar: 'لكل شخص حساب خاص بعامل ثانٍ.' },
      step: { en: 'Turn on second factors, and close shared accounts.', ar: 'فعّل العامل الثاني وأغلق الحسابات المشتركة.' },
      weight: 3,
    },
    {
      id: 'security.audit',
      text: { en: 'We can show who changed or approved what, and when.', ar: 'نستطيع إثبات من غيّر أو وافق على ماذا ومتى.' },
      step: {
        en: 'Keep a record of changes and approvals that cannot be altered.',
        ar: 'احتفظ بسجل غير قابل للتعديل للتغييرات والموافقات.',
      },
      weight: 2,
    },
    {
      id: 'security.backup',
      text: { en: 'We restore a backup at least once a year, as a test.', ar: 'نستعيد نسخة احتياطية مرة سنويًا على الأقل كاختبار.' },
      step: { en: 'Restore one important system from its backup this month.', ar: 'استعد نظامًا مهمًا من نسخته الاحتياطية هذا الشهر.' },
      weight: 2,
    },
    {
      id: 'security.privacy',
      text: {
        en: 'We know which personal data we keep, why, and when it is deleted.',
        ar: 'نعرف أي بيانات شخصية نحتفظ بها ولماذا ومتى تُحذف.',
      },
      step: {
        en: 'Write a register of personal data with the reason and the time of deletion.',
        ar: 'اكتب سجلًا للبيانات الشخصية بسببها وموعد حذفها.',
      },
      weight: 2,
    },
  ],
}
