// Replaces every <div data-grognard="…"> of a page with the odds of a battle and a link to its table. The value is a
// link to a battle, or what stands behind the # of one: b=1.… or e=system/example.
;(() => {
  const home = new URL('.', document.currentScript.src)
  const frames = []
  for (const place of document.querySelectorAll('[data-grognard]')) {
    const battle = place.dataset.grognard.replace(/^[^#]*#/, '')
    const frame = document.createElement('iframe')
    frame.src = `${home}#embed&${battle}`
    frame.title = 'Odds of a battle'
    frame.loading = 'lazy'
    frame.style.cssText = 'display:block;width:100%;height:640px;border:0'
    const link = document.createElement('a')
    link.href = `${home}#${battle}`
    link.textContent = 'Open this battle in grognard'
    place.replaceChildren(frame, link)
    frames.push(frame)
  }
  addEventListener('message', ({ source, origin, data }) => {
    const frame = frames.find((one) => one.contentWindow === source)
    if (frame && origin === home.origin && Number.isFinite(data?.grognard))
      frame.style.height = `${data.grognard + 24}px`
  })
})()
