var C='[command="--refresh"]',Y=new WeakMap;"commandForElement"in HTMLButtonElement.prototype||addEventListener("click",n=>{let[t]=n.composedPath(),e=t.closest?.(`${C}[commandfor]:enabled`);e?.getRootNode().getElementById(e.getAttribute("commandfor"))?.dispatchEvent(Object.assign(new Event("command"),{command:"--refresh"}))});function W({target:n},t){let e=n instanceof Element&&n.closest(`${C}:not([commandfor])`);return Boolean(e)&&!e.disabled&&e.closest(t.localName)===t}function _(n,t){let e=Y.get(n)??new Set;Y.set(n,e);for(let r of t?e:[...pt(n),...ht(n)])r.disabled||e.add(r),r.disabled=!t;t&&e.clear()}function pt(n){return[...n.querySelectorAll(`${C}:not([commandfor])`)].filter(e=>e.closest(n.localName)===n)}function ht(n){return n.id?n.getRootNode().querySelectorAll(`${C}[commandfor="${CSS.escape(n.id)}"]`):[]}var ut=matchMedia("(prefers-reduced-motion: reduce)"),y=()=>ut.matches;var ft=new Set(["svg","path","circle","rect"]);function l(n,t={},...e){let r=ft.has(n)?document.createElementNS("http://www.w3.org/2000/svg",n):document.createElement(n);for(let i of Object.keys(t))r.setAttribute(i,`${t[i]}`);return r.append(...e),r}var j=(n,...t)=>l("svg",{viewBox:`0 0 ${n} ${n}`,"aria-hidden":"true"},...t.map(e=>l("path",{d:e}))),F=(n,...t)=>l("button",{part:n,type:"button"},...t);function I(n){let t=new CSSStyleSheet;return t.replaceSync(n),t}var mt=260,Gt=I(`
:host {
  --rl-accent: var(--refreshable-accent, light-dark(#076750, #4fd3ad));
  --rl-danger: var(--refreshable-danger, light-dark(#b3261e, #ffb1a8));
  --rl-warning: var(--refreshable-warning, light-dark(#8a5700, #f2c46d));
  --rl-background: var(--refreshable-background, Canvas);
  --rl-surface: var(--refreshable-surface, color-mix(in srgb, currentColor 4%, transparent));
  --rl-quiet: color-mix(in srgb, currentColor 64%, transparent);
  --rl-line: color-mix(in srgb, currentColor 11%, transparent);
  --rl-gutter: var(--refreshable-gutter, 16px);
  --rl-radius: var(--refreshable-radius, 16px);
  display: flex; flex-direction: column; position: relative; line-height: 1.35; -webkit-tap-highlight-color: transparent;
  overflow-wrap: anywhere;
}
:host([hidden]), [hidden] { display: none !important; }
* { box-sizing: border-box; margin: 0; }
svg { fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; flex: none; }
button { font: inherit; color: inherit; border: 0; background: none; cursor: pointer; touch-action: manipulation; }
button:focus-visible, a:focus-visible { outline: 2px solid var(--rl-accent); outline-offset: 2px; }
h2:focus, .row:focus { outline: none; }
.visually-hidden {
  position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; inset-block-start: 0;
}

[part=bar] { position: sticky; inset-block-start: 0; z-index: 2; container-type: inline-size; }
.bar-content {
  position: relative; z-index: 1; display: flex; align-items: center; gap: 4px;
  padding-block: calc(8px + var(--refreshable-inset-top, 0px)) 8px;
  padding-inline: var(--rl-gutter) calc(var(--rl-gutter) - 8px);
  min-block-size: 64px;
  background: color-mix(in srgb, var(--rl-background) 86%, transparent);
  -webkit-backdrop-filter: blur(18px); backdrop-filter: blur(18px);
}
.titles { flex: 1; min-inline-size: 0; }
[part=heading] {
  font-size: 1.375rem; font-weight: 700; letter-spacing: -.021em; white-space: nowrap;
  overflow: hidden; text-overflow: ellipsis;
  unicode-bidi: plaintext; text-align: -webkit-match-parent; text-align: match-parent;
}
[part=updated] {
  font-size: .8125rem; color: var(--rl-quiet); font-variant-numeric: tabular-nums; min-block-size: 1.35em;
  white-space: nowrap; overflow: hidden; text-overflow: ellipsis;
}
:host([stale]) [part=updated] { color: var(--rl-warning); }
:host([stale]) [part=updated]:not(:empty)::before {
  content: ''; display: inline-block; border: 3px solid; border-radius: 50%; margin-inline-end: .5em; vertical-align: .08em;
}
/* Large letters on a small screen: the words below the buttons. */
@container (max-width: 19rem) {
  .bar-content { flex-wrap: wrap; }
  [part=cancel] { margin-inline-start: auto; }
  [part=cancel][hidden] + [part=refresh] { margin-inline-start: auto; }
  .titles { flex: 1 0 100%; order: 1; }
  [part=heading], [part=updated] { white-space: normal; }
}
[part=refresh], [part=search] {
  inline-size: 44px; block-size: 44px; border-radius: 50%; display: grid; place-items: center;
  color: var(--rl-accent); transition: background .15s, opacity .15s;
}
:is([part=refresh], [part=search]) svg { inline-size: 24px; block-size: 24px; }
[part=refresh]:disabled { color: var(--rl-quiet); opacity: .45; cursor: default; }
[part=cancel], [part=retry] {
  min-block-size: 44px; padding-inline: 12px; border-radius: 22px; color: var(--rl-accent); font-weight: 600;
  font-size: .9375rem;
}
@media (hover: hover) { button:hover:enabled { background: color-mix(in srgb, var(--rl-accent) 12%, transparent); } }
button:active:enabled { background: color-mix(in srgb, var(--rl-accent) 20%, transparent); }

.gap { position: absolute; inset: 100% 0 auto; block-size: ${mt}px; overflow: clip; pointer-events: none; }
.indicator { visibility: hidden; }
[part=content] { flex: 1 0 auto; padding-block-end: calc(24px + env(safe-area-inset-bottom, 0px)); }
[part=rows], [part=skeleton], ::slotted([slot=rows]), [inert] { list-style: none; padding: 0; margin: 0 var(--rl-gutter); }
[part=rows], [part=skeleton] { background: var(--rl-surface); border-radius: var(--rl-radius); }
[part=skeleton] {
  mask-image: linear-gradient(#000, #0003); animation: breathe 1.6s ease-in-out infinite alternate;
}
[part=skeleton] p { display: grid; gap: 9px; align-content: center; block-size: 65px; padding-inline: 16px; }
[part=skeleton] i { inline-size: 62%; block-size: 12px; border-radius: 6px; background: var(--rl-line); }
[part=skeleton] :nth-child(even) i { inline-size: 44%; }
[part=skeleton] i + i { inline-size: 28% !important; block-size: 10px; }
@keyframes breathe { to { opacity: .45; } }
[part=rows]:not(:empty) ~ slot [part=skeleton] { margin-block-start: 12px; }
[part=rows]:not(:empty) ~ slot [part=skeleton] p:nth-child(n + 3) { display: none; }

@media (prefers-reduced-motion: reduce) { [part=skeleton] { animation: none; } }
@media (forced-colors: active) {
  :host { --rl-accent: CanvasText; --rl-danger: CanvasText; }
  .bar-content { background: Canvas; }
  button, [part=rows]:not(:empty), [part=skeleton], [part=skeleton] i { border: 1px solid; }
}
`);function p(n,t){n.textContent!==t&&(n.textContent=t)}var gt=()=>l("slot",{name:"error"},l("div",{part:"error"},j(24,"M12 3a9 9 0 1 1-.01 0Z","M12 7.5v5.4m0 3.3v.1"),l("p",{},l("strong",{"data-field":"title"}),l("span",{"data-field":"message"})),F("retry"),l("slot",{name:"unknown"}))),bt=()=>l("div",{part:"empty"},j(48,"M16 7h16a7 7 0 0 1 7 7v20a7 7 0 0 1-7 7H16a7 7 0 0 1-7-7V14a7 7 0 0 1 7-7Z","M17 17h14M17 24h14M17 31h8"),l("strong"),l("span"),F("retry")),z=class{#t=gt();#e=bt();#r=[l("slot",{name:"empty"}),l("slot",{name:"offline"})];#n;more=l("div",{part:"more"},l("span"),l("button",{type:"button"}));constructor({content:t,rows:e},r){this.more.hidden=!0,t.querySelector("slot").after(this.#t),e.after(this.more,...this.#r),this.#n=[this.#t,this.#e].map(i=>i.querySelector("button"));for(let i of this.#n)i.addEventListener("click",r)}name({retry:t}){for(let e of this.#n)p(e,t)}paint(t,e,r,i){this.#t.hidden=!t,this.#n[0].hidden=Boolean(t?.isFinal),this.#t.querySelector("[name=unknown]").hidden=!t?.isUnknown;for(let o of t?this.#t.assignedElements({flatten:!0}):[])for(let s of o.querySelectorAll("[data-field]"))p(s,t[s.dataset.field]??"");for(let o of this.#r)o.hidden=o.name!==e,!o.hidden&&!o.firstChild&&o.append(this.#e);this.#n[1].hidden=e!=="offline",e&&(p(this.#e.querySelector("strong"),r),p(this.#e.querySelector("span"),i))}};var D="refreshable-found",A=class{#t=l("input",{type:"search",part:"find",enterkeyhint:"search",autocomplete:"off",spellcheck:"false"});#e=l("div",{class:"find"},this.#t);#r=[];#n=[];constructor(t,e){t.querySelector(".bar-content").after(this.#e),this.#t.addEventListener("input",()=>e(this.#t.value)),this.#t.addEventListener("keydown",r=>{r.key==="Escape"&&(r.preventDefault(),e(null))})}set(t,e){this.#e.hidden=t===null,this.#t.placeholder=this.#t.ariaLabel=e,t!==null&&this.#t.value!==t&&(this.#t.value=t),this.#r=(t??"").toLocaleLowerCase().split(/\s+/).filter(Boolean)}focus(){this.#t.focus()}filter(t){return this.#r.length?t.filter(({key:e,fields:r})=>{let i=Object.values({key:e,...r}).flat().join(`
`).toLocaleLowerCase();return this.#r.every(o=>i.includes(o))}):t}mark(t){if(!("Highlight"in globalThis))return;this.unmark();for(let r of this.#r.length?wt(t):[])this.#n.push(...this.#i(r));let e=CSS.highlights.get(D)??new Highlight;for(let r of this.#n)e.add(r);CSS.highlights.set(D,e)}unmark(){for(let t of this.#n)CSS.highlights.get(D).delete(t);this.#n=[]}*#i(t){let e=t.data.toLocaleLowerCase();for(let r of e.length===t.length?this.#r:[])for(let i=e.indexOf(r);i>=0;i=e.indexOf(r,i+r.length)){let o=new Range;o.setStart(t,i),o.setEnd(t,i+r.length),yield o}}};function*wt(n){let t=document.createTreeWalker(n,NodeFilter.SHOW_TEXT);for(;t.nextNode();)yield t.currentNode}function N(n){if(typeof n!="number"&&typeof n!="string")return null;let t=new Date(/^\d{11,}$/.test(n)?Number(n):n).getTime();return Number.isNaN(t)?null:t}var xt=/^data-field-(?!on|style$|srcdoc$)(.+)/,yt=/src|href|action|^(poster|data)$/,E={role:"button",tabindex:0,"aria-expanded":"false"},Z=document.createElement("template");Z.content.append(l("li",{class:"row",part:"row"},l("img",{part:"image",alt:"","data-field-src":"image"}),l("a",{part:"title",target:"_blank",rel:"noopener noreferrer","data-field":"title|key","data-field-href":"link"}),...["subtitle","badge","detail"].map(n=>l("span",{part:n,"data-field":n})),l("time",{part:"time","data-field":"time"})));var vt=24,kt=18,St=48,m=class{#t;#e;constructor({content:t},e){let[r,i]=t.children,o=r?.localName==="li"&&!i,s=this.#t=t.ownerDocument.createElement(e);for(let{name:a,value:c}of o?r.attributes:[])s.setAttribute(a,c);s.append(...(o?r:t).cloneNode(!0).childNodes),this.#e=V(s).map(Nt)}make(t=!0){let e=document.importNode(this.#t,t);return{item:e,pieces:V(e)}}draw({item:t,pieces:e},{key:r,fields:i},o){let s={key:r,...i};e.forEach((a,c)=>this.#e[c].forEach(d=>d(a,s,o))),t.dataset.key=r}},v=class extends m{constructor(t){super(Z,t)}make(){return super.make(!1)}draw({item:t},e,r){t.dataset.broken&&At(t);let i=super.make().pieces.map(c=>t.querySelector(`[part=${c.part}]`)??c);super.draw({item:t,pieces:i},e,r);let o=[],s=null,a=!1;for(let c of i.slice(1)){if(!c.textContent&&!c.src){c.remove();continue}c.parentNode!==t&&t.insertBefore(c,s?s.nextSibling:t.firstChild),s=c,o.push(c.part.value),c.href&&o.push("link"),o.at(-1)==="detail"&&c.textContent.length>vt&&o.push("prose"),c.textContent.length>kt&&(a=!0)}a&&o.push("long"),zt(e.fields)?o.push(Ct(t,i[2],r)):t.dataset.parts?.match(/opens|disclosure/)&&G(t,i[2]),t.dataset.parts=o.join(" ")}};function Ct(n,t,e){if(!t.href){G(n,t);for(let r of Object.keys(E))t.setAttribute(r,E[r]);return"opens"}for(let r of Object.keys(E))t.removeAttribute(r);return n.querySelector("[part=disclosure]")||n.append(l("button",{part:"disclosure",type:"button","aria-expanded":"false","aria-label":e.details})),"disclosure"}function G(n,t){for(let e of Object.keys(E))t.removeAttribute(e);n.querySelector("[part=disclosure]")?.remove()}function zt({title:n="",subtitle:t="",badge:e="",detail:r="",link:i,image:o,time:s,...a}){return[n,t].some(d=>d.length>St)||[e,r].some(d=>`${d}`.length>12)||Boolean(!i&&(o||s))||Object.keys(a).length>0}function J(n){n.parentNode.dataset.broken="image",n.replaceWith(l("span",{part:"image"}))}function At(n){n.querySelector("span[part=image]").remove(),delete n.dataset.broken}var L=n=>n.querySelector(":scope > template");function P(n,{ago:t,full:e}){let r=Date.parse(n.dateTime);p(n,t(r)),n.title=e(r)}var V=n=>[n,...n.querySelectorAll(":not(script, style)")];function Nt(n){return n.localName==="img"&&!n.hasAttribute("loading")&&(n.loading="lazy"),[...n.attributes].flatMap(({name:t,value:e})=>{let r=Lt(n,t,xt.exec(t)?.[1]),i=e.split("|"),o=s=>i.map(a=>Et(s,a)).find(a=>(a??"")!=="");return r?[(s,a,c)=>r(s,o(a),c)]:[]})}function Et(n,t){return n[t]??t.split(".").reduce((e,r)=>e?.[r],n)}function Lt(n,t,e){return t==="data-field"?Mt(n.textContent):t==="data-if"||t==="data-unless"?Tt(t==="data-if"):e&&Ot(e,n.getAttribute(e))}var Mt=n=>(t,e,r)=>{let i=t.localName==="time"?N(e):null,o=t.localName==="data"&&typeof e=="number";if(t.removeAttribute("datetime"),o&&(t.value=e),i===null)return p(t,o?r.number(e):g(e)||n);t.dateTime=new Date(i).toISOString(),P(t,r)},Tt=n=>(t,e)=>{let r=Boolean(e)&&e.length!==0;t.style.display=r===n?"":"none"},Ot=(n,t)=>(e,r)=>{let o=!(r===!1&&!n.startsWith("aria-"))&&(yt.test(n)?M:g)(r)||t;o===null?e.removeAttribute(n):e.getAttribute(n)!==o&&e.setAttribute(n,o)};function g(n){return["string","number","boolean"].includes(typeof n)?String(n):""}function M(n){if(!n||typeof n!="string"||!URL.canParse(n,document.baseURI))return"";let t=new URL(n,document.baseURI);return/^https?:$/.test(t.protocol)?t.href:""}var Rt=new Set(["title","subtitle","image","link","time","badge","detail"]),T=class{#t;#e=l("div",{class:"details-own"});#r=l("slot",{name:"details"},this.#e);#n=l("div",{part:"details"},this.#r);#i=null;#o=null;constructor(t){this.#t=t}show(t,e,r){t!==this.#i&&this.hide(),this.#i=t,this.#s(!0),t.getRootNode()!==this.#t.getRootNode()&&this.#n.parentNode!==t&&t.append(this.#n),this.#e.replaceChildren(...qt(e.fields,r));for(let o of this.#t.querySelectorAll(":scope > [slot=details]"))this.#l(o,e,r)}hide(){this.#s(!1),this.#n.remove(),this.#i=null}#s(t){let e=this.#i;if(e){e.toggleAttribute("data-open",t);for(let r of e.querySelectorAll("[aria-expanded]"))r.ariaExpanded=`${t}`}}#l(t,e,r){if(this.#o?.[0]!==t){let s=document.createElement("template");s.content.append(t.cloneNode(!0));let a=new m(s,"div");this.#o=[t,a,a.make()]}let[,i,o]=this.#o;i.draw(o,e,r),t.replaceChildren(...o.item.firstElementChild.cloneNode(!0).childNodes)}};function*qt({badge:n,detail:t,image:e,link:r,time:i,...o},s){let a=N(i),c=M(e),d=M(r);c&&(yield l("img",{part:"picture",src:c,alt:""}));for(let h of[t,n].map(g).filter(u=>u.length>12))yield l("p",{},h);a!==null&&(yield l("p",{},s.full(a))),d&&(yield l("p",{},l("a",{href:d,target:"_blank",rel:"noopener noreferrer"},d)));let f=Object.entries(o).filter(([h,u])=>!Rt.has(h)&&u!==null&&u!=="");f.length&&(yield l("dl",{},...f.flatMap(([h,u])=>[l("dt",{},h),l("dd",{},Bt(u,s))])))}function Bt(n,t){return typeof n=="number"?t.number(n):Array.isArray(n)&&n.every(e=>g(e))?n.map(g).join(", "):g(n)||JSON.stringify(n)}var he=navigator.vendor.startsWith("Apple")&&!CSS.supports("-webkit-touch-callout","none"),$t=n=>/^(auto|scroll|overlay)$/.test(getComputedStyle(n).overflowY),jt=n=>n.scrollHeight>n.clientHeight&&$t(n);function*Ft(n){for(let t=n;t&&t!==document.body;t=t.assignedSlot??t.parentNode??t.host)t instanceof Element&&(yield t)}function b(n){for(let t of Ft(n))if(jt(t))return t;return document.scrollingElement??document.documentElement}function w(n){return n.scrollTop<=.5}var k=class{#t;held=new Set;#e;constructor({bar:t,content:e,rows:r},i){this.#e=i;let o=r.getBoundingClientRect().top,s=w(i)&&o-e.getBoundingClientRect().top>1;this.#t=s?[]:[...this.#r(r.children,t.getBoundingClientRect().bottom)]}hold(t){let[e,r]=this.#t.find(([o])=>o.isConnected&&!t.has(o))??[];if(!e)return null;let i=e.getBoundingClientRect().top-r;return Math.abs(i)>=1&&(this.#e.scrollTop+=i),e}*#r(t,e){for(let r of t){let{top:i,bottom:o}=r.getBoundingClientRect();if(!(o<=e)){if(i>=innerHeight)break;r.dataset.key?yield[r,i]:(this.held.add(r),yield*this.#r(r.children,e))}}}};var H=32;function*x(n){for(let t of n.children)yield*t.children}function*S(n){for(let t of x(n))yield*t.children}function X(n,t,e){O(t),n.firstElementChild||n.append(l("div",{class:"groups"},l("div",{class:"group"}))),U(t,e?.parentNode??x(n).next().value,e)}function O(n){let t=n.parentNode;tt(t),n.remove(),t?.className&&!t.firstElementChild&&O(t)}function K(n,t,e){for(let r of[...x(n),...n.children]){let i=e.has(r),o=i?-t:t;o===r.said&&(r.count||!t)||(r.said=o,r.style=t?`contain: style; content-visibility: ${i?"visible":"auto"}; contain-intrinsic-block-size: auto ${It(r,t)}px`:"")}}var It=(n,t)=>Q(n)*t+(n.className==="group"?0:n.childElementCount),Q=n=>n.count??=n.className==="group"?n.childElementCount:[...n.children].reduce((t,e)=>t+Q(e),0);function tt(n){n?.className&&(n.count=n.parentNode.count=null)}function U(n,t,e){e?e.after(n):t.prepend(n),tt(t);let r=n.className==="group"&&n.nextSibling?2*H:H;if(!t.className||t.childElementCount<=r)return;let i=t.nextElementSibling;(!i||i.childElementCount>=H)&&U(i=t.cloneNode(),t.parentNode,t),U(t.lastElementChild,i)}var R={duration:260,easing:"cubic-bezier(.2,.8,.2,1)"};function et(n){if(y()||document.hidden)return null;let t=[...S(n)].map(e=>[e,e.getBoundingClientRect()]);return(e,r)=>{let i=new Map([...S(n)].map(a=>[a,a.getBoundingClientRect().top])),o=([a,{bottom:c,top:d}])=>!i.has(a)&&c>0&&d<innerHeight,s=t.filter(o);for(let[a,{top:c}]of t){let d=c-i.get(a);Math.abs(d)>1&&a.animate([{transform:`translateY(${d}px)`},{}],{...R,composite:"add"})}for(let a of e)a.animate([{opacity:0,transform:"translateY(-10px)"},{}],R);for(let a of r)a.animate([{opacity:.25},{}],R);s.length&&Dt(n,s)}}function Dt(n,t){let e=n.cloneNode();e.removeAttribute("part"),e.inert=!0,e.ariaHidden="true",Object.assign(e.style,{position:"relative",blockSize:0}),n.after(e);let{top:r}=e.getBoundingClientRect();for(let[i,o]of t)delete i.dataset.key,i.removeAttribute("part"),Object.assign(i.style,{position:"absolute",insetInline:0,top:`${o.top-r}px`}),e.append(i),i.animate([{},{opacity:0}],R).onfinish=()=>e.remove()}var rt=I(`
.row {
  position: relative; align-content: center; min-block-size: 56px; padding: 10px 16px; row-gap: 2px;
  box-shadow: 0 -17px 0 -16px var(--rl-line);
}
/* Room for the line of its first row, as it cuts off what is above. Not of those that follow another: to find those in long
   lists takes longer than to lay rows out. */
.group { padding-block-start: 1px; }
:first-child > .group:first-child .row:first-child { box-shadow: none; }
.row > [part=subtitle] { margin-block-start: 2px; }
/* Words alone are no grid: rows are many, and a grid takes twice as long. */
.row:where([data-parts~=image], [data-parts~=badge], [data-parts~=detail], [data-parts~=time]) {
  display: grid; grid-template-columns: auto minmax(0, 1fr) fit-content(45%) auto; align-items: baseline;
  & [part=subtitle] { margin: 0; }
}
.row:where([data-parts~=badge][data-parts~=detail]) { grid-template-columns: auto minmax(0, 1fr) fit-content(28%) fit-content(28%); }
.row > * { display: block; }
/* What is longer ends in an ellipsis; an open row has all of it. */
[data-parts~=long] > :is([part~=title], [part=subtitle], [part=detail]) {
  display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: var(--refreshable-lines, 2); line-clamp: var(--refreshable-lines, 2);
  overflow: hidden;
}
[part=badge], .row:not([data-parts~=prose]) > [part=detail] {
  display: block; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; max-inline-size: calc(100% - 12px);
}
.row:not([data-parts~=subtitle], [data-parts~=time], [data-parts~=prose]) { align-items: center; & [part=image] { grid-row: 1; } }
[part=image] {
  grid-column: 1; grid-row: 1 / span 2; align-self: center; inline-size: 40px; block-size: 40px;
  margin-inline-end: 12px; border-radius: 10px; object-fit: cover; background: var(--rl-line);
}
[part~=title] { grid-column: 2; font-weight: 500; color: inherit; text-decoration: none; }
a[part~=title][href]::after { content: ''; position: absolute; inset: 0; }
a[part~=title]:focus-visible { outline: none; }
a[part~=title][role]:focus-visible::after { content: ''; position: absolute; inset: 0; }
a[part~=title]:focus-visible::after, .row:focus-visible { outline: 2px solid var(--rl-accent); outline-offset: -3px; border-radius: 12px; }
@media (hover: hover) { [data-parts~=link]:hover { background-color: color-mix(in srgb, var(--rl-accent) 7%, transparent); border-radius: var(--rl-radius); } }
[data-parts~=subtitle]:not([data-parts~=badge], [data-parts~=detail]) [part=title] { grid-column: 2 / -1; }
[part=subtitle] { grid-column: 2; grid-row: 2; font-size: .8125rem; color: var(--rl-quiet); }
[part=badge], [part=detail], [part=time] { margin-inline-start: 12px; }
[part=badge] {
  grid-column-start: 3; grid-row: 1; justify-self: end; font-size: .75rem; font-weight: 600; line-height: 1.25rem;
  padding-inline: 8px; border-radius: 10px; color: var(--rl-accent);
  background: color-mix(in srgb, var(--rl-accent) 9%, transparent); font-variant-numeric: tabular-nums;
}
[part=detail] {
  grid-column: 3; grid-row: 1; justify-self: end; font-size: .875rem; color: var(--rl-quiet);
  font-variant-numeric: tabular-nums;
}
[data-parts~=badge] > [part=detail] { grid-column: 4; }
[data-parts~=prose] [part=detail] { grid-column: 2 / -1; grid-row: 3; justify-self: start; margin: 0; }
[data-parts~=prose]:not([data-parts~=badge]) [part=time] { grid-row: 1 !important; }
[part=time] {
  grid-column: 3 / span 2; grid-row: 2; justify-self: end; font-size: .8125rem; color: var(--rl-quiet);
  font-variant-numeric: tabular-nums; white-space: nowrap;
}
.row:not([data-parts~=subtitle], [data-parts~=detail], [data-parts~=badge]) [part=time] { grid-row: 1; }
/* Of words in another direction than the page's, each keeps its own, but all begin at the same side. */
.row > *, .words > *, [part=error] p > *, [part=more] span {
  unicode-bidi: plaintext; text-align: -webkit-match-parent; text-align: match-parent;
}
.find { padding: 0 var(--rl-gutter) 8px; background: color-mix(in srgb, var(--rl-background) 86%, transparent); backdrop-filter: blur(18px); }
[part=find] {
  inline-size: 100%; min-block-size: 44px; padding-inline: 16px; border: 0; border-radius: 12px; font: inherit; color: inherit;
  background: color-mix(in srgb, currentColor 8%, transparent);
}
[part=find]:focus-visible { outline: 2px solid var(--rl-accent); }
::highlight(refreshable-found) { background: color-mix(in srgb, var(--rl-accent) 28%, transparent); color: inherit; }
[role=button] { cursor: pointer; }
.row > [part=disclosure] {
  position: absolute; inset-block: 0; inset-inline-end: 0; inline-size: 44px; display: grid; place-items: center; color: var(--rl-quiet);
  margin: 0;
}
[part=disclosure]::after {
  content: ''; inline-size: 8px; block-size: 8px; border: solid; border-width: 0 2px 2px 0; rotate: 45deg; translate: 0 -2px; transition: rotate .2s;
}
[data-parts~=disclosure] { padding-inline-end: 44px; }
[data-open] > [part=disclosure] { inset-block: 0 auto; block-size: 44px; }
[data-open] > [part=disclosure]::after { rotate: 225deg; translate: 0 2px; }
/* Open: nothing is cut short. */
[data-open] > :is([part~=title], [part=subtitle], [part=detail]) { -webkit-line-clamp: none; line-clamp: none; }
.row > [part=details] { grid-column: 1 / -1; font-size: .875rem; padding-block: 8px 4px; animation: appear .2s; }
.details-own { display: grid; gap: 6px; }
.details-own :is(p, dt) { color: var(--rl-quiet); }
.details-own a { color: var(--rl-accent); }
.details-own dl { display: grid; grid-template-columns: fit-content(40%) minmax(0, 1fr); gap: 4px 16px; }
[part=picture] { max-inline-size: 100%; max-block-size: 240px; border-radius: 10px; }
/* Large letters on a small screen. */
[part=rows] { container-type: inline-size; }
@container (max-width: 17rem) {
  .row { display: flex; flex-wrap: wrap; column-gap: 12px; }
  .row > * { margin: 0 !important; }
  [part~=title], [part=subtitle], [data-parts~=prose] [part=detail] { flex: 1 0 100%; }
}
[part=more] {
  display: flex; flex-wrap: wrap; justify-content: center; align-items: center; gap: 4px; min-block-size: 68px;
  padding-inline: var(--rl-gutter); font-size: .875rem; color: var(--rl-quiet);
}
[part=more] button { min-block-size: 44px; padding-inline: 12px; color: var(--rl-accent); font-weight: 600; border-radius: 22px; }
[part=more] [aria-disabled] { color: inherit; font-weight: inherit; }
[part=more][data-state=loading]::before {
  content: ''; inline-size: 18px; block-size: 18px; border-radius: 50%;
  border: 2px solid var(--rl-line); border-block-start-color: var(--rl-accent); animation: turn .8s linear infinite;
}
@media (prefers-reduced-motion: reduce) { [part=more]::before { animation-duration: 2.4s !important; } }
@keyframes appear { from { opacity: 0; } }
[part=news] {
  position: absolute; inset: calc(100% + 8px) 0 auto; margin-inline: auto; inline-size: fit-content; min-block-size: 44px;
  padding-inline: 18px; border-radius: 22px; font-size: .9375rem; font-weight: 600; color: var(--rl-background);
  background: var(--rl-accent) !important; box-shadow: 0 6px 24px #0003; animation: appear .25s;
}
.floating + [part=news] { visibility: hidden; }
[part=error] {
  display: flex; flex-wrap: wrap; align-items: center; column-gap: 12px; margin: 0 var(--rl-gutter) 12px;
  padding-block: 8px; padding-inline: 16px 4px;
  border-radius: var(--rl-radius); background: color-mix(in srgb, var(--rl-danger) 9%, var(--rl-background));
}
[part=error] svg { inline-size: 22px; block-size: 22px; color: var(--rl-danger); }
[part=error] p { flex: 1 1 7rem; display: grid; font-size: .875rem; padding-block: 4px; min-inline-size: 0; }
[part=error] strong { font-weight: 600; color: var(--rl-danger); }
[part=error] span { text-wrap: balance; color: var(--rl-quiet); }
[part=retry] { margin-inline-start: auto; }
[part=empty] {
  display: grid; justify-items: center; gap: 4px; padding: 18vh 32px 10vh; text-align: center; font-size: .9375rem;
}
[part=empty] svg {
  inline-size: 56px; block-size: 56px; stroke-width: 1.8; color: var(--rl-accent); opacity: .8;
  margin-block-end: 12px;
}
[part=empty] strong { font-size: 1.0625rem; font-weight: 600; }
[part=empty] span { color: var(--rl-quiet); }
@media (prefers-reduced-motion: reduce) { [part=news] { animation: none; } }
@media (forced-colors: active) {
  [part=badge], [part=error] { border: 1px solid; }
  .groups + *, .group + *, .row + * { border-block-start: 1px solid; }
  [part=more]::before { forced-color-adjust: none; }
  [part=news] { color: CanvasText; background: Canvas !important; }
}
`);var nt={changes:30,rows:400},it=4,Pt=24,q=class{#t;#e;#r;#n;#i=new v("li");#o=0;#s=new Map;#l=null;#c=null;#a=null;#p=0;#h=0;#d=!1;#g=new Set;#x=!0;#b=0;#u=[];#w=[];#f=new Set;constructor(t,e){this.#t=t,this.#e=this.#r=t.rows,this.#n=e;let r=this.#r.getRootNode();r.adoptedStyleSheets.push(rt),r.addEventListener("contentvisibilityautostatechange",({target:i})=>i.className==="group"&&this.#y(i),!0),r.addEventListener("error",({target:i})=>i.getRootNode()===r&&J(i),!0),this.#r.after(l("slot",{name:"rows"}))}render(t,e){if(this.#a={isFirst:t,isOwn:e||Boolean(this.#a?.isOwn)},t)clearTimeout(this.#p);else if(this.#p)return;this.#k()}applyTemplate(){let[t,e]=this.#o?["div","article"]:["ul","li"],{host:r}=this.#r.getRootNode(),i=L(r);this.#i=i?new m(i,e):new v(e),this.#e=this.#t.rows=document.createElement(t),this.#r.replaceChildren(),this.#r.hidden=Boolean(i),r.querySelector(":scope > [slot=rows]")?.remove(),i?(this.#e.slot="rows",r.append(this.#e)):(this.#e.part="rows",this.#r.replaceWith(this.#e),this.#r=this.#e),this.#s.clear(),this.#l=null,this.render(!0,!1)}tick(){for(let t of x(this.#e))t.firstElementChild.checkVisibility?.({contentVisibilityAuto:!0})!==!1&&this.#y(t)}#y(t){for(let e of t.querySelectorAll("time[data-field][datetime]"))P(e,this.#n.words)}number(t){if(t===this.#o)return;let e=this.#o;this.#o=t,e?this.render(!1,!1):this.applyTemplate()}element(t){return this.#s.get(t)?.item}get elements(){return[...S(this.#e)]}#k(){if(this.#p=0,this.#n.isMoving()&&!this.#a?.isFirst)return this.#v(100);if(!this.#x&&!document.hidden)return this.#v(10);if(this.#l?this.#z(it):this.#N(),this.#l||this.#a)return this.#v(0);this.#e.ariaBusy=null,this.#n.drawn(),this.#n.missed(this.#b),this.#b=0}#v(t){this.#p=setTimeout(()=>this.#k(),t)}#N(){let{isFirst:t,isOwn:e}=this.#a;this.#e.ariaBusy="true";let r=this.#n.rows();this.#e.role=this.#o&&r.length?"feed":"list",this.#e.ariaLabel=this.#t.heading.textContent;let i=this.#n.scroller();if(this.#a=null,this.#c=t||e&&w(i)?null:i,this.#l=this.#A(r),this.#d=Math.max(r.length,this.#s.size)>nt.rows,this.#d)return this.#S();let o=this.#C(r)<=nt.changes,s=o&&!t&&et(this.#e);this.#z(o?1/0:it),s&&s(this.#u,this.#w)}#S(){this.#c&&(this.#g=new k(this.#t,this.#c).held,this.#m(),this.#x=!1,requestAnimationFrame(()=>{this.#x=!0}))}#C(t){return t.filter(({key:r,fields:i})=>this.#s.get(r)?.fields!==i).length+Math.max(0,this.#s.size-t.length)}#z(t){let e=this.#c&&new k(this.#t,this.#c),r=this.#T;this.#u=[],this.#w=[],this.#f.clear();let i=document.hidden?1/0:performance.now()+t;do this.#l.next().done&&(this.#l=null);while(this.#l&&performance.now()<i);e&&(this.#g=e.held),this.#m(),r?.isConnected&&r!==this.#T&&r.focus({preventScroll:!0});let o=e?.hold(this.#f);o&&(this.#b+=this.#u.filter(s=>Ht(s,o)).length)}*#A(t){let e=new Set(t.map(({key:o})=>o));yield;for(let o of this.#s.keys())e.has(o)||(this.#R(o,e),yield);let r=yield*this.#E(t),i=null;for(let[o,s]of t.entries()){let a=this.#M(s);r.has(o)||(X(this.#e,a,i),this.#f.add(a)),this.#o&&this.#L(a,o+1),i=a,o%Pt===0&&(yield)}}*#E(t){let e=new Map;for(let{children:i}of x(this.#e)){for(let o of i)e.set(o,e.size);yield}let r=t.map(({key:i})=>e.get(this.#s.get(i)?.item)??-1);return yield,Ut(r)}#L(t,e){let{textContent:r}=t.querySelector("[data-field]")??t,i={role:"article",ariaPosInSet:`${e}`,ariaSetSize:`${this.#o}`,ariaLabel:r,tabIndex:0};for(let[o,s]of Object.entries(i))t[o]!==s&&(t[o]=s)}#m(){this.#h=this.#d&&(this.#h||(this.elements[0]?.getBoundingClientRect().height??0)),K(this.#e,this.#h,this.#g)}#M(t){let e=this.#s.get(t.key);if(e?.fields===t.fields)return e.item;let r=e??this.#O();return e&&this.#w.push(r.item),this.#i.draw(r,t,this.#n.words),r.fields=t.fields,this.#s.set(t.key,r),r.item}#O(){let t=this.#i.make();return t.item.role="listitem",this.#u.push(t.item),t}#R(t,e){let{item:r}=this.#s.get(t);this.#s.delete(t),r.contains(this.#T)&&this.#q(r,e),O(r)}get#T(){let t=this.#e.getRootNode().activeElement;return t&&this.#e.contains(t)?t:null}#q(t,e){let r=this.elements,i=r.indexOf(t),o=({dataset:c})=>e.has(c.key),s=r.slice(i).find(o)??r.slice(0,i).findLast(o),a=s?.querySelector("a[href], button")??s??this.#t.heading;a===s&&(s.tabIndex=-1),a.focus({preventScroll:!0})}};function Ht(n,t){return Boolean(t.compareDocumentPosition(n)&Node.DOCUMENT_POSITION_PRECEDING)}function Ut(n){let t=[],e=[];n.forEach((i,o)=>{if(i<0)return;let s=0,a=t.length;for(;s<a;){let c=s+a>>1;n[t[c]]<i?s=c+1:a=c}e[o]=t[s-1],t[s]=o});let r=new Set;for(let i=t.at(-1);i!==void 0;i=e[i])r.add(i);return r}var B=class{#t;#e=new Set;#r=null;constructor(t){this.#t=t,t.addEventListener("touchstart",this.#i,{passive:!0}),this.#n()}#n(){this.#t.addEventListener("wheel",this.#o,{passive:!0,once:!0})}isMoving(){if(this.#e.size)return!0;if(this.#r===null)return!1;let{scrollTop:t}=b(this.#t),e=t!==this.#r;return this.#r=e?t:null,e||this.#n(),e}#i=t=>{for(let{identifier:r}of t.changedTouches)this.#e.add(r);let[e]=t.composedPath();e.addEventListener("touchend",this.#o),e.addEventListener("touchcancel",this.#o)};#o=({changedTouches:t=[]})=>{for(let{identifier:e}of t)this.#e.delete(e);this.#r=NaN}};function ot(n,t,e=""){let{updatedAt:r,staleSince:i}=n??{},o=r?t.updated(t.ago(Math.min(r,Date.now()))):"";return[e||o&&i&&t.stale,o].filter(Boolean).join(" · ")}function $({last:n},t){return!n?.outcome||n.outcome==="success"||n.outcome==="cancelled"||n.cause==="more"?null:{title:t.failed,message:t.explain(n.error??{})}}function Yt({last:n},t,e,r){return n?.outcome==="cancelled"?t.cancelled:n?.outcome&&n.outcome!=="success"?t.failed:r??at(n,t,e)??t.upToDate}function st(n,t,e){let{last:r,updatedAt:i}=n,o=$(n,t);if(o)return[o.title,o.message].filter(Boolean).join(": ");if(r?.outcome==="cancelled"||!i)return Yt(n,t,e);let s=t.updated(t.clock(i)),a=at(r,t,e);return a?`${a}, ${s[0].toLowerCase()}${s.slice(1)}`:s}function at(n,t,e){let{inserted:r,changed:i,moved:o,removed:s}=n?.changes??{moved:1},a=t.called(e,r||i||0);return r?a?t.newOf(r,a):t.news(r):i?a?t.changedOf(i,a):t.changes(i):o||s?null:t.noNews}var lt={shown:1e3,certain:5e3},ct=class{#t;#e;#r;#n;#i;#o=null;#s=new MutationObserver(t=>this.#C(t));#l=null;#c;#a=null;#p=0;#h=!1;#d=0;constructor(t,e,r){this.#t=t,this.#e=e,this.#i=r,this.#c=new T(t),t.addEventListener("click",o=>W(o,t)&&r.ask()),this.#n=new z(e,()=>this.#z());let i=new B(t);this.#r=new q(e,{rows:()=>this.#w(r.watch?.replica.rows??[]),scroller:()=>b(t),isMoving:()=>r.isDown||i.isMoving(),drawn:()=>{this.#y(),this.#a?.mark(e.rows)},missed:o=>this.#x(o),get words(){return r.words}}),this.#n.name(r.words),e.bar.addEventListener("click",o=>Wt(o)&&this.#g()),e.search.addEventListener("click",()=>this.#f(t.hasAttribute("query")?null:"")),e.news.addEventListener("click",()=>{this.#g(),e.heading.focus({preventScroll:!0})}),t.addEventListener("click",o=>this.#k(o)),t.addEventListener("keydown",o=>this.#v(o)),this.#s.observe(t,{childList:!0}),this.#C([])}render(t,e=!1){this.#r.render(t,e)}paint(){let{refresh:t}=this.#e,{activeElement:e}=t.getRootNode();this.#A(),this.#E(),this.#M(),e?.closest("[hidden]")&&t.focus()}tick(){this.#r.tick(),this.#A()}translate(){this.#n.name(this.#i.words),this.#b(),this.tick(),this.paint()}turn(t,e){let{watch:r,words:i}=this.#i;clearTimeout(this.#p),e==="loading"?(this.#h=!this.#i.isFirst,this.#h&&(this.#p=setTimeout(()=>this.#e.say(i.loading.replace(/ ?…/,"")),500))):t==="loading"&&r?.state&&r.state.phase!=="loading"&&(this.#h||$(r.state,i))&&this.#e.say(st(r.state,i,r.about?.noun))}#g(){b(this.#t).scrollTo({top:0,behavior:y()?"auto":"smooth"})}#x(t){t&&(this.#d||addEventListener("scroll",this.#u,{capture:!0,passive:!0}),this.#d+=t,this.#e.news.hidden=!1,this.#b())}#b(){p(this.#e.news,this.#i.words.missed(this.#d))}#u=()=>w(b(this.#t))&&this.catchUp();leave(){this.catchUp(),this.#a?.unmark()}catchUp(){removeEventListener("scroll",this.#u,{capture:!0}),this.#d=0,this.#e.news.hidden=!0}find(){let t=this.#t.getAttribute("query");t===null&&!this.#a||(this.#a??=new A(this.#e.bar,e=>this.#f(e)),this.#a.set(t,this.#i.words.find),this.#r.render(!0,!1),this.paint())}#w(t){return this.#a?.filter(t)??t}#f(t){t===null?(this.#t.removeAttribute("query"),this.#e.search.focus()):(this.#t.setAttribute("query",t),this.#a.focus()),this.#i.fire("find",{query:t})}open(){if(this.#t.getAttribute("open-row")===null)return this.#c.hide();this.#y()?.scrollIntoView({block:"nearest",behavior:y()?"auto":"smooth"})}#y(){let t=this.#t.getAttribute("open-row"),e=t===null?void 0:this.#r.element(t),r=e&&this.#i.watch?.replica.rows.find(i=>i.key===t);return r?this.#c.show(e,r,this.#i.words):this.#c.hide(),r&&e}#k(t){if(t.defaultPrevented||getSelection()?.type==="Range")return;let e=t.composedPath(),r=e.find(o=>o.dataset?.key!==void 0),i=e.find(o=>o.matches?.("a[href], button, input, select, [part=details], [slot=details]"));!r?.querySelector("[aria-expanded]")||i&&i.part?.value!=="disclosure"||this.#S(r.dataset.key)}#v(t){let[e]=t.composedPath(),r=e.closest?.("[data-key]");if(t.key==="/"&&!t.defaultPrevented&&this.#N(e))return t.preventDefault(),this.#f(this.#t.getAttribute("query")??"");let i=r&&r.dataset.key===this.#t.getAttribute("open-row");!r||t.defaultPrevented||(t.key==="Escape"?!i:!/^(Enter| )$/.test(t.key)||e.role!=="button")||(t.preventDefault(),this.#S(r.dataset.key))}#N(t){return this.#t.hasAttribute("find")&&!t.matches?.("input, textarea, select, [contenteditable]")}#S(t){let e=this.#t.getAttribute("open-row")===t,{fire:r}=this.#i;if(e)return r("rowclose",{key:t},!0)&&this.#t.removeAttribute("open-row");r("rowopen",{key:t},!0)&&this.#t.setAttribute("open-row",t)}#C(t){let e=L(this.#t);e===this.#o&&t.every(({target:r})=>r===this.#t)||(this.#o=e,e&&this.#s.observe(e.content,{attributes:!0,characterData:!0,childList:!0,subtree:!0}),this.#r.applyTemplate())}#z(){let{watch:t,ask:e}=this.#i;if(t?.refusal)return t.watch();t?.isConnected||t?.connection.connectNow(),this.#i.refreshable&&e()}#A(){let{watch:t,phase:e,isFirst:r,isOwn:i,lostAt:o,refreshable:s,words:a}=this.#i,{heading:c,updated:d,refresh:f,search:h,cancel:u}=this.#e;h.hidden=!this.#t.hasAttribute("find")||!(t?.replica.count||this.#t.hasAttribute("query"));let dt=t?.refusal||this.#m?t?.name:"";p(c,this.#t.getAttribute("heading")??t?.about?.title??dt??""),c.ariaLevel=this.#t.getAttribute("level")??"2",p(d,ot(t?.state,a,r?"":this.#m)),d.hidden=!r&&!d.textContent,d.title=t?.state?.updatedAt?a.full(t.state.updatedAt):"",this.#t.toggleAttribute("stale",Boolean(t?.state?.staleSince||this.#m)),this.#t.toggleAttribute("offline",o>0),f.disabled=!s,_(this.#t,s),u.hidden=e!=="loading",p(u,i?a.cancel:a.hide)}#E(){let{watch:t,isFirst:e,refreshable:r,words:i}=this.#i,o=this.#L(),s=e&&this.#m&&t.connection.isAway,a=Boolean(this.#t.getAttribute("query")&&t?.replica.count)&&this.#w(t.replica.rows).length===0,c=Boolean(t)&&(a||t.replica.count===0)&&!e&&!o,d=c&&r&&!t.state?.updatedAt,f=s?"offline":c?"empty":"",h=a?i.noneFound:d?i.notLoaded:i[f];this.#e.loading.hidden=this.#e.skeleton.hidden=!e||s||Boolean(o),this.#n.paint(o,f,h,s?i.unavailable:r&&!a?i.waiting:"")}#L(){let{watch:t,phase:e,fault:r,words:i}=this.#i;if(t?.refusal){let{code:o,retry:s}=t.refusal,a=o==="unknownList",c=a?"":i.explain(t.refusal);return{title:a?i.unknownList:i.notShown,message:c,isFinal:s==="never",isUnknown:a}}return t?.connection.refusal?{title:i.notShown,message:i.explain(t.connection.refusal)}:r?{title:i[r.title],message:i.explain(r)||i[r.code]}:t?.state&&e!=="loading"?$(t.state,i):null}get#m(){let{watch:t,lostAt:e,words:r}=this.#i,i=performance.now()-e;return!e||t?.connection.refusal||i<lt.shown?"":navigator.onLine===!1||i>=lt.certain?r.offline:r.connecting}async#M(){if(!this.#l&&!this.#i.watch?.state?.more)return;let{LoadMore:t}=await import("../rows/load-more.js");this.#l??=new t(this.#n.more,this.#i,this.#r),this.#l.paint()}};function Wt(n){return getSelection()?.type!=="Range"&&!n.composedPath().some(t=>t.matches?.("a, button, input, [slot]:not([slot=header])"))}export{ct as ListRenderer,lt as losses};
//# sourceMappingURL=list-renderer.js.map
