// Sets the scene that the address asks for, as stage.html?list=NAME&scene=SCENE, and then lets the element come.
const { list: name, scene } = Object.fromEntries(new URLSearchParams(location.search));
const list = document.querySelector('refreshable-list');
document.body.classList.add(scene);
list.setAttribute('src', `/lists/${name}`);

if (scene === 'inner-scroller') {
  // Something that scrolls by itself, above the rows.
  const inner = Object.assign(document.createElement('div'), { className: 'inner-scroller', slot: 'header' });
  inner.append(Object.assign(document.createElement('p'), { textContent: 'It scrolls.' }));
  list.append(inner);
}

await import('/refreshable-list.js');
document.documentElement.toggleAttribute('data-staged', true);
