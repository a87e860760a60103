function z(i){let t=new CSSStyleSheet;return t.replaceSync(i),t}var A=260,kt=z(`
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
.titles { flex: 1; min-inline-size: 0; order: 1; }
slot[name=start] { order: 0; }
[part=cancel] { order: 2; }
[part=refresh] { order: 3; }
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
  .bar-content::before { content: ''; flex: 1; order: 1; }
  .titles { flex: 1 0 100%; order: 4; }
  [part=heading], [part=updated] { white-space: normal; }
}
[part=refresh] {
  inline-size: 44px; block-size: 44px; border-radius: 50%; display: grid; place-items: center;
  color: var(--rl-accent); transition: background .15s, opacity .15s;
}
[part=refresh] svg { inline-size: 24px; block-size: 24px; }
[part=refresh]:disabled { color: var(--rl-quiet); opacity: .45; cursor: default; }
[part=cancel], [part=retry] {
  min-block-size: 44px; padding-inline: 12px; border-radius: 22px; color: var(--rl-accent); font-weight: 600;
  font-size: .9375rem;
}
@media (hover: hover) { button:hover:enabled { background: color-mix(in srgb, var(--rl-accent) 12%, transparent); } }
button:active:enabled { background: color-mix(in srgb, var(--rl-accent) 20%, transparent); }

.gap { position: absolute; inset: 100% 0 auto; block-size: ${A}px; overflow: clip; pointer-events: none; }
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
`);var m={default:`
    <circle class="track" cx="12" cy="12" r="9.5"/><circle class="arc" cx="12" cy="12" r="9.5" pathLength="100"/>
    <path class="arrow" d="M12 7.5v9m-3.5-3.5 3.5 3.5 3.5-3.5"/>
    <path class="mark good" d="m8 12.3 2.8 2.8L16 9.6" pathLength="100"/>
    <path class="mark bad" d="M12 7.6v5.2m0 3.4v.1" pathLength="100"/>`,simple:[...Array(12).keys()].map(i=>`<path class="spoke" d="M12 3v4.2" transform="rotate(${i*30} 12 12)"/>`).join("")};m.circular=m.default;var g=class{#e;#t;#s;#r;#n="";#a={};#l="";#o=[];constructor(t){this.#e=t,this.#t=t.querySelector(".label").appendChild(new Text),this.#s=t.querySelector(".note"),this.#r=t.querySelector("slot"),this.#r.addEventListener("slotchange",()=>this.#c(this.#a)),t.getRootNode().adoptedStyleSheets.push(tt)}set kind(t){let e=t in m?t:"default";e!==this.#n&&(this.#n=this.#e.dataset.kind=e,this.#e.querySelector("svg").innerHTML=m[e])}paint({phase:t,outcome:e,progress:s,share:r,label:n,widest:a,note:l}){let o=t==="loading"&&r!==null,c=t==="closing"?e:t,h=this.#a,T=c!==h.state||o!==h.isMeasured;this.#a={phase:t,state:c,isMeasured:o,label:n,note:l},T&&(this.#e.dataset.state=c),o!==h.isMeasured&&this.#e.toggleAttribute("data-measured",o);let R=h.phase==="waiting"||h.phase==="primed";(s!==null||!R)&&this.fill((o?r:s)??0),T&&this.#c(this.#a),n!==h.label&&(this.#t.data=n,(!T||!R)&&(this.#t.parentElement.dataset.widest=a())),l!==h.note&&(this.#s.textContent=l)}fill(t){let e=t.toFixed(2);if(e!==this.#l){this.#l=e,this.#e.style.setProperty("--pull-progress",e);for(let s of this.#o)s.style.setProperty("--pull-progress",e),s.hasAttribute("progress")&&s.setAttribute("progress",e)}}#c({phase:t,state:e,isMeasured:s}){this.#o=this.#r.assignedElements();let r={phase:t,outcome:t==="closing"&&e,progress:(t!=="loading"||s)&&this.#l};for(let n of t?this.#o:[]){n.style.setProperty("--pull-progress",this.#l);for(let[a,l]of Object.entries(r))l?n.setAttribute(a,l):n.removeAttribute(a)}}},w=class{#e;#t;constructor(t,e){this.#e=t,this.#t=e}of(t){return this.own(t)??this.#t.words[t]}get widest(){let[t,e]=[this.of("waiting"),this.of("primed")];return t.length>e.length?t:e}own(t){return this.#e.getAttribute(`text-${t}`)??this.#t.watch?.about?.pull?.texts?.[t]}},tt=z(`
.indicator {
  display: flex; align-items: center; justify-content: center; gap: 12px; padding-inline: var(--rl-gutter);
  block-size: max(var(--rl-hold, 56px), 36px); color: var(--rl-quiet); will-change: transform;
}
.visible .indicator { visibility: visible; }
.indicator svg { inline-size: 26px; block-size: 26px; color: var(--rl-accent); }
.words {
  display: grid; line-height: 1.3; font-weight: 500; font-variant-numeric: tabular-nums;
  font-size: min(.9375rem, 5.4cqi, max(var(--rl-hold, 56px), 36px) * .42);
}
[data-state=waiting] .label::after, [data-state=primed] .label::after {
  content: attr(data-widest); display: block; block-size: 0; visibility: hidden;
}
.note { font-size: .8em; font-weight: 400; opacity: .85; }
.note:empty, .words:not(:has(:not(:empty))), [data-kind=simple] .words, [data-kind=circular] .label,
[data-kind=circular]:not([data-state=loading]) .words {
  display: none;
}
[data-kind=circular] svg { inline-size: 30px; block-size: 30px; stroke-width: 2.5; }
.floating .indicator {
  position: absolute; left: 50%; translate: -50%; transform: translateY(8px) !important;
  inline-size: max-content; max-inline-size: calc(100% - 32px); min-block-size: 44px; block-size: auto; padding: 4px 9px; border-radius: 22px;
  background: var(--rl-background); box-shadow: 0 0 0 1px var(--rl-line), 0 6px 24px #0003; animation: appear .2s;
}
.floating .words { margin-inline-end: 9px; }
.floating { transform: none !important; }
.track { opacity: .2; }
.arc {
  stroke-dasharray: calc(var(--pull-progress, 0) * 100px) 100px; transform: rotate(-90deg); transform-origin: center;
  opacity: min(1, var(--pull-progress, 0) * 20);
}
.arrow {
  opacity: var(--pull-progress, 0); transform-origin: center; transition: transform .22s cubic-bezier(.3,1.4,.6,1);
}
.mark { stroke-dasharray: 100; stroke-dashoffset: 100; visibility: hidden; }
[data-state=primed] .arrow { transform: rotate(180deg); }
[data-state=primed] .label { color: var(--rl-accent); }
.indicator:not([data-state=waiting], [data-state=primed]) .arrow, [data-kind=circular] .arrow { display: none; }
[data-state=loading]:not([data-measured]) .arc { stroke-dasharray: 28px 100px; }
[data-state=loading]:not([data-measured], [data-kind=simple]) svg { animation: turn .8s linear infinite; }
.indicator:not([data-state=waiting], [data-state=primed]) .arc { transition: .25s; }
[data-state=cancelled] .arc { stroke-dasharray: 0 100px; opacity: 0; }
[data-state=success] .good, [data-state=failure] .bad, [data-state=timeout] .bad {
  visibility: visible; animation: draw .28s .04s cubic-bezier(.4,0,.2,1) forwards;
}
:is([data-state=failure], [data-state=timeout]) :is(svg, .label) { color: var(--rl-danger); }
.spoke { opacity: .18; stroke-width: 2.2; }
${[...Array(12).keys()].map(i=>`
.spoke:nth-child(${i+1}) {
  opacity: clamp(.18, calc((var(--pull-progress, 0) - ${i/12}) * 12), 1); animation-delay: ${(i-12)/12}s !important;
}`).join("")}
[data-state=loading]:not([data-measured]) .spoke { animation: fade 1s linear infinite; }
@keyframes turn { to { transform: rotate(1turn); } }
@keyframes draw { to { stroke-dashoffset: 0; } }
@keyframes fade { from { opacity: 1; } to { opacity: .18; } }

@media (forced-colors: active) { .floating .indicator { border: 1px solid; } }
@media (prefers-reduced-motion: reduce) {
  .mark, .floating .indicator { animation: none !important; }
  .mark { stroke-dashoffset: 0; }
  .arrow, .arc { transition: none !important; }
  [data-state=loading]:not([data-measured], [data-kind=simple]) svg {
    animation: fade 1s infinite alternate;
  }
}
`);var et=matchMedia("(prefers-reduced-motion: reduce)"),F=()=>et.matches,b=class{#e;#t;#s=0;#r=!0;#n=[];#a=0;#l=0;#o=0;constructor(t,e){this.#e=t,this.#t=e}get offset(){let{currentTime:t}=this.#n[0]??{};return typeof t!="number"?this.#s:q(this.#a,this.#s,this.#l,Math.min(t,this.#o),this.#o)}follow(t){this.#p(),this.#c(t),this.#h()}settle(t,e,s=0){if(t===this.#s&&this.#n.length)return;let r=this.offset;if(this.#p(),this.#c(t),F()||Math.abs(r-t)<.5)return this.#h();[this.#a,this.#l,this.#o]=[r,s,e];let n=Array.from({length:16+1},(o,c)=>q(r,t,s,c/16*e,e)),a=this.#e.filter(({place:o})=>o(r)!==o(t));this.#n=a.map(({element:o,place:c})=>o.animate(n.map(h=>({transform:c(h)||"none"})),{duration:e}));let l=this.#n[0];l.onfinish=()=>{l===this.#n[0]&&(this.#n=[],this.#h())},this.#h()}#c(t){this.#s=t;for(let e of this.#e){let s=e.place(t);s!==e.put&&(e.element.style.transform=e.put=s)}}#h(){let t=this.#s===0&&this.#n.length===0;t!==this.#r&&(this.#r=t,this.#t(t))}#p(){let t=this.#n;this.#n=[];for(let e of t)e.cancel()}};function I(i,{hold:t,isBehind:e,height:s}){let r=o=>`translateY(${o<t()?o-t():(o-t())/2}px)`,n=o=>o?`translateY(${o}px)`:"",a=o=>`translateY(${s-Math.min(o,s)}px)`,l=o=>e()?`translateY(${Math.min(o,s)-s}px)`:"";return[{element:i.content,place:n},{element:i.indicator,place:o=>(e()?a:r)(o)},{element:i.gap,place:l}]}var y=class{#e=0;play(t){let e=performance.now();F()||e-this.#e<150||(this.#e=e,navigator.vibrate?.(t))}};function q(i,t,e,s,r){let n=a=>(i-t+(e*1e3+25*(i-t))*a)*Math.exp(-25*a);return t+n(s/1e3)-n(r/1e3)*(s/r)}var Y=Object.freeze({standard:Object.freeze({trigger:"release",threshold:64,minimum:10,hold:56,hysteresis:8}),recipe:Object.freeze({trigger:"return",threshold:50,minimum:10,hold:50,hysteresis:8}),progress:Object.freeze({trigger:"crossing",threshold:100,minimum:10,hold:36,hysteresis:8}),classic:Object.freeze({trigger:"release",threshold:70,minimum:10,hold:70,hysteresis:8})}),u=class{#e;#t="cancelled";#s;#r=0;#n=null;#a=0;#l=0;constructor(t,e=!1){this.configuration=t,this.#e=e?"loading":"waiting"}get phase(){return this.#e==="asked"?"loading":this.#e}get progress(){return this.#a}get gesture(){return this.#r}get peak(){return this.#n}get ignored(){return this.#l}handle(t){if(!it(t))return this.#f();let e=this.#o(t),s=this.#s;return s&&s.phase!=="waiting"&&(this.#e==="waiting"||this.#e==="closing")&&(e.state=this.#x(s.gesture,"waiting",0)),e}#o(t){switch(t.type){case"sample":return this.#c(t.gesture,t.offset);case"release":return this.#p(t.gesture,t.offset,t.peak??null);case"cancel":return this.#w(t.gesture);case"begin":return this.#u(this.#e!=="loading","loading");case"refuse":return this.#u(this.#e==="asked","waiting");case"end":return this.#u(this.phase==="loading","closing");case"settle":return this.#u(this.#e==="closing","waiting");default:return this.#f()}}#c(t,e){if(this.#g(t),t!==this.#r||!this.#k)return this.#f();this.#n=this.#m(e)?e:Math.max(this.#n??e,e);let s={};return this.#t==="down"&&this.phase!=="loading"&&this.#h(e)&&(s.refresh=t),s.state=this.#x(t,this.phase,this.#a),s}#h(t){let{threshold:e,trigger:s}=this.configuration;if(this.#a=this.#v(t),this.#n<e)return this.#e="waiting",!1;let r=s==="crossing"||s==="return"&&t<e;return this.#e=r?"asked":"primed",r&&(this.#t="fired"),r}#p(t,e,s){if(this.#g(t),t!==this.#r)return this.#f("repeated");switch(this.#t){case"down":return this.#d(e,Math.max(s??this.#n??e,e));case"fired":return this.#i("own");case"spent":return this.#i("spent");case"released":return{answer:"repeated"};default:return this.#f("spent")}}#d(t,e){return e<this.configuration.threshold||this.#m(t)?this.#i("belowThreshold"):(this.#t="released",this.phase==="loading"?{refresh:this.#r,answer:"joins"}:(this.#a=this.#v(t),this.#e="asked",{refresh:this.#r,answer:"run"}))}#i(t){return this.#t="released",this.#b(),{answer:t}}#w(t){return this.#g(t),t!==this.#r||!this.#k?this.#f():(this.#t="cancelled",this.#b(),{})}#g(t){t<=this.#r||(this.#r=t,this.#t="down",this.#n=null)}#b(){this.#e!=="waiting"&&this.#e!=="primed"||(this.#e="waiting",this.#a=0)}#u(t,e){return t?(this.phase==="loading"&&e!=="loading"&&this.#t==="down"&&(this.#t="spent"),this.#e=e,e==="waiting"&&(this.#a=0),{}):this.#f()}#f(t){return this.#l+=1,t?{answer:t}:{}}#x(t,e,s){return this.#s={gesture:t,phase:e,progress:s}}get#k(){return this.#t==="down"||this.#t==="fired"||this.#t==="spent"}#v(t){let{minimum:e,threshold:s}=this.configuration;return t<=e?0:t>=s?1:(t-e)/(s-e)}#m(t){let{trigger:e,threshold:s,hysteresis:r}=this.configuration;return e==="release"&&t<=s-r}},p=class{#e=null;#t=null;hear(t,e=null){if(!(t in d))return[];let s=this.#t??"waiting",n=!(t==="waiting"&&(this.#t===null||e===null))&&(e!==this.#e||d[t]<d[s]);return this.#e=e,this.#t=t,n?[...s==="loading"?C(s,"closing"):[],{type:"begin"},...C("loading",t)]:C(s,t)}},d={loading:0,closing:1,waiting:2},st=[{type:"end"},{type:"settle"}];function C(i,t){return st.slice(d[i],d[t])}function it({type:i,gesture:t,offset:e,peak:s}){let r=n=>Number.isFinite(n)&&Math.abs(n)<=1e4;return i!=="sample"&&i!=="release"&&i!=="cancel"?!0:Number.isSafeInteger(t)&&t>0&&(i==="cancel"||r(e)&&r(s??0))}var x=class{#e;constructor({clientHeight:t}){this.#e=Math.min(900,Math.max(480,t))}stretch(t){return t<=0?0:(1-1/(.55*t/this.#e+1))*this.#e}travel(t){return t<=0?0:(1/(1-Math.min(t,this.#e-1)/this.#e)-1)*this.#e/.55}};var rt=navigator.vendor.startsWith("Apple")&&!CSS.supports("-webkit-touch-callout","none"),D=i=>/^(auto|scroll|overlay)$/.test(getComputedStyle(i).overflowY),H=i=>i.scrollHeight>i.clientHeight&&D(i);function*B(i){for(let t=i;t&&t!==document.body;t=t.assignedSlot??t.parentNode??t.host)t instanceof Element&&(yield t)}function f(i){for(let t of B(i))if(H(t))return t;return document.scrollingElement??document.documentElement}function E(i){return i.scrollTop<=.5}function G(i,t){for(let e of i){if(e===t)break;if(e instanceof Element&&e.scrollTop>.5&&H(e))return!1}return E(t)}var M=new Map;function W(i){let t=rt?[]:[document.documentElement];for(let s of B(i))if(D(s)){t.push(s);break}let e=t.map(nt);return()=>e.forEach(s=>s())}function nt(i){let t=M.get(i)??{count:0,before:i.style.overscrollBehaviorY};return t.count+=1,M.set(i,t),i.style.overscrollBehaviorY="contain",()=>{t.count-=1,!(t.count>0)&&(i.style.overscrollBehaviorY=t.before,M.delete(i))}}function S(i,t){let e=t?.last?.run;return e!==void 0&&(e===i||_(e)>_(i))}function _(i){return Number(/\d+$/.exec(i)?.[0]??NaN)}var at="[data-pull-ignore], input, select, textarea, [contenteditable]",ot=["blur","pagehide","orientationchange","visibilitychange"],k=class{#e;#t;#s=null;#r=null;constructor(t,e){this.#e=t,this.#t=e}connect(t){this.#e.addEventListener("pointerdown",this,{signal:t});for(let e of ot)addEventListener(e,this,{signal:t})}near(t){this.#e.removeEventListener("touchstart",this),t&&this.#e.addEventListener("touchstart",this,{passive:!1})}cancel(){this.#i()?.isClaimed&&this.#t.cancelled(0)}handleEvent(t){switch(t.type){case"touchstart":return this.#n(t);case"touchmove":return this.#o(t,t.touches[0],t.cancelable)&&t.preventDefault();case"pointerdown":return this.#a(t);case"pointermove":return this.#o(t,t,!0);case"touchend":case"pointerup":return this.#d(t);case"dragstart":case"selectstart":return t.preventDefault();default:this.cancel()}}#n(t){if(this.#r?.isClaimed||t.touches.length>1)return this.cancel();if(this.#i(),!L(t,this.#t))return;let e=this.#l(t,t.touches[0],null),[s]=t.composedPath();for(let r of["touchmove","touchend","touchcancel"])s.addEventListener(r,this,{signal:e,passive:!1});addEventListener("touchstart",this,{signal:e,passive:!0,capture:!0})}#a(t){if(t.pointerType==="touch"||!t.isPrimary||t.button!==0||(this.cancel(),!L(t,this.#t)))return;let e=this.#l(t,t,t.pointerId);for(let s of["pointermove","pointerup","pointercancel"])addEventListener(s,this,{signal:e});this.#e.addEventListener("dragstart",this,{signal:e})}#l({timeStamp:t},{clientX:e,clientY:s},r){let n=this.#r={x:e,y:s,at:t,pointer:r,isClaimed:!1,travel:0,samples:[],timer:setTimeout(()=>n.isClaimed&&this.#h(n),180)},{signal:a}=this.#s=new AbortController;return addEventListener("keydown",({key:l})=>l==="Escape"&&this.cancel(),{signal:a}),a}#o({timeStamp:t},{clientX:e,clientY:s},r){let n=this.#r,a=s-n.y;if(!n.isClaimed&&!this.#c(n,e-n.x,a,r))return!1;let{samples:l}=n,o=t-n.at<80;return o||(n.timer&&=clearTimeout(n.timer)),n.travel=a-8,l.push([t,this.#t.moved(n.travel,o)])>5&&l.shift(),!0}#c(t,e,s,r){return Math.hypot(e,s)<8?!1:s<1.2*Math.abs(e)||!r?(this.#i(),!1):(t.isClaimed=!0,this.#t.claimed(),t.pointer!==null&&this.#p(t.pointer),!0)}#h({samples:t,at:e,travel:s}){t.at(-1)[0]-e<80&&this.#t.moved(s,!1)}#p(t){this.#e.setPointerCapture(t),getSelection()?.removeAllRanges(),document.addEventListener("selectstart",this,{signal:this.#s.signal})}#d({timeStamp:t}){let e=this.#i();if(!e.isClaimed)return;e.pointer!==null&&mt();let s=ft(e.samples,t);if(t-e.at<80)return this.#t.cancelled(s);this.#h(e),this.#t.released(s)}#i(){let t=this.#r;return this.#r=null,clearTimeout(t?.timer),this.#s?.abort(),t}},J=120,lt=1e3,ct=1e4,K=250,ht=24,dt=60,ut=12,pt=6,v=class{#e;#t;#s=null;#r=-1/0;#n=-1/0;#a=0;constructor(t,e){this.#e=t,this.#t=e}connect(t){for(let e of["touchstart","touchend","touchcancel"])this.#e.addEventListener(e,this,{passive:!0,signal:t})}near(t){this.#e.removeEventListener("wheel",this),this.#r=performance.now(),t&&this.#e.addEventListener("wheel",this,{passive:!0})}cancel(){this.#h()?.isClaimed&&this.#t.cancelled(0)}handleEvent(t){if(t.type!=="wheel"&&(this.#n=t.timeStamp+(t.type==="touchstart"?ct:0)),t.timeStamp-this.#n<lt)return this.cancel();t.timeStamp-this.#r>J&&this.#l(t),this.#r=t.timeStamp,this.#s&&this.#o(this.#s,t)}#l(t){this.#c(),L(t,this.#t)&&(this.#s={at:t.timeStamp,x:0,y:0,isClaimed:!1,last:0,highest:0,falls:0})}#o(t,e){let s=-e.deltaY;if(s<0||e.ctrlKey||e.shiftKey)return this.cancel();if(gt(t,s))return this.#c();if(t.x+=Math.abs(e.deltaX),t.y+=e.deltaMode||s>dt?ut:Math.min(s,ht),!(t.y<8)){if(!t.isClaimed&&t.y<1.2*t.x)return this.cancel();t.isClaimed||this.#t.claimed(),t.isClaimed=!0,this.#t.moved(t.y-8,e.timeStamp-t.at<K),clearTimeout(this.#a),this.#a=setTimeout(()=>this.#c(),J)}}#c(){let t=this.#h();t?.isClaimed&&(this.#r-t.at<K||document.hidden?this.#t.cancelled(0):this.#t.released(0))}#h(){let t=this.#s;return this.#s=null,clearTimeout(this.#a),t}};function L(i,t){if(i.defaultPrevented||!t.mayPull()||(globalThis.visualViewport?.scale??1)>1.01)return!1;let e=i.composedPath();return e.some(s=>s instanceof Element&&s.matches(at))||i.type==="touchstart"&&getSelection()?.type==="Range"?!1:t.isAtTop(e)}function ft(i,t){let[e,s]=[i[0],i.at(-1)];return t-s[0]>50||s[0]===e[0]?0:(s[1]-e[1])/(s[0]-e[0])}function mt(){let i=t=>{t.preventDefault(),t.stopPropagation()};addEventListener("click",i,{capture:!0,once:!0}),setTimeout(()=>removeEventListener("click",i,{capture:!0}),0)}function gt(i,t){return t<i.last&&(i.falls+=1),t>i.last&&(i.falls=0),i.last=t,i.highest=Math.max(i.highest,t),i.falls>=pt&&t<=i.highest/2}function U({last:i},t,e){return i?.outcome==="cancelled"?t.cancelled:i?.outcome&&i.outcome!=="success"?t.failed:e??wt(i,t)??t.updated(t.now)}function V({completed:i,total:t,note:e},{number:s,share:r}){if(t&&e?.includes(t))return e;let n=i&&s(i);return[t?r(i,t):n,e].filter(Boolean).join(" · ")}function wt(i,t){let{inserted:e,changed:s,moved:r,removed:n}=i?.changes??{changed:1};return e?t.news(e):s||r||n?null:t.noNews}var P=250,X=300,N=200,bt=280,yt=500,O=1e3,j=5e3,xt=300,$=10,Q="gap visible",Z=class{#e=null;#t=null;#s=new u(Y.standard);#r=new p;#n=new y;#a=!1;#l=!1;#o=!1;#c=!1;#h=!1;#p={linger:0,patience:0};#d;#i;#w;#g;#b;#u;#f;#x;#k;constructor(t,e,s){this.#d=t,this.#i=s,this.#w=e,this.#g=new g(e.indicator),this.#b=new w(t,s);let r=I(e,{hold:()=>this.#m,isBehind:()=>this.#h,height:A});this.#u=new b(r,a=>a?this.paint():e.gap.className=Q);let n={mayPull:()=>s.refreshable&&s.phase!=="loading"&&!this.isAsking,isAtTop:a=>G(a,f(t)),claimed:()=>this.#P(),moved:(a,l)=>this.#N(a,l),released:a=>this.#$(a),cancelled:a=>this.#R(a)};this.#f=[new k(t,n),new v(t,n)],this.#x=new IntersectionObserver(a=>{for(let l of this.#f)l.near(a.at(-1).isIntersecting)})}connect(){let{signal:t}=this.#k=new AbortController;t.addEventListener("abort",W(this.#d));for(let e of this.#f)e.connect(t);this.#x.observe(this.#w.status)}disconnect(){this.#x.disconnect(),this.#k.abort(),this.reset()}reset(){this.cancel();for(let t of Object.values(this.#p))clearTimeout(t);this.#t=null,this.#o=this.#c=this.#a=this.#l=!1,this.#A(this.#s.configuration),this.#u.follow(0)}configure(t){JSON.stringify(t)!==JSON.stringify(this.#s.configuration)&&(this.cancel(),this.#A(t)),this.#d.style.setProperty("--rl-hold",`${this.#m}px`)}get own(){if(this.#t)return{phase:"primed",progress:1};let t=this.#e,{phase:e}=this.#s;if(!t||e==="loading"||e==="closing")return null;let r=t.offset===t.sentOffset&&performance.now()-t.sentAt>xt?this.#i.watch.own:null;return r?.gesture===t.gesture?r:this.#s}follow(){let{own:t}=this;t&&t.phase!==this.#i.phase?this.#i.turn():t&&this.#g.fill(t.phase==="waiting"?t.progress:1)}get isDown(){return this.#e!==null}get isAsking(){return this.isDown||this.#t!==null}isOurs(t){return t==="primed"?this.isDown:t==="loading"&&this.#l}cancel(){for(let t of this.#f)t.cancel()}update(t){for(let s of this.#r.hear(t.phase,t.heard))this.#s.handle(s);(t.phase==="loading"||this.#t?.run&&S(this.#t.run,t))&&(this.#t=null)}ask(t){return this.#i.phase==="loading"?null:(this.#S(t),this.#T(),this.#y(P),this.#t)}drop(t){!t||t!==this.#t||(this.#t=null,this.#l=!1,this.#y(X),this.#i.paint())}turn(t,e){clearTimeout(this.#p.linger),e==="primed"&&!this.#t&&this.#z(2*$),t==="loading"&&this.#a&&this.#z($),t==="loading"&&(this.#a=this.#l=!1),e==="loading"?this.#F():t==="loading"&&e==="closing"?this.#p.linger=setTimeout(()=>this.#L(),bt):e==="waiting"&&!this.#e&&this.#L()}paint(){let{watch:t,phase:e,words:s}=this.#i,r=e==="loading";this.#v();let n=r?t?.progress:null;this.#g.kind=this.#d.getAttribute("indicator")??this.#s.configuration.indicator,this.#g.paint({phase:this.#t?"loading":e,outcome:t?.state?.last?.outcome??"success",progress:e==="waiting"?this.own?.progress??(this.#u.offset>0?null:0):1,share:n?.total?Math.min(1,n.completed/n.total):null,label:this.#I,widest:()=>this.#b.widest,note:n?V(n,s):r||e==="closing"||this.#t?"":this.#w.updated.textContent})}#v(){let{phase:t,isFirst:e}=this.#i;t==="waiting"&&!this.#t&&(this.#c=!1);let r=(t==="loading"?!e:this.#c||this.#u.offset>0||this.#t)?Q+(this.#c?" floating":""):"gap";r!==this.#w.gap.className&&(this.#w.gap.className=r)}get#m(){return this.#s.configuration.hold}#A(t){this.#s=new u(t),this.#r=new p,this.#i.watch?.state&&this.update(this.#i.watch.state)}#P(){let{offset:t}=this.#u;this.#h=this.#d.hasAttribute("behind"),this.#c=!1;let e=this.#i.watch.connection.nextGesture(),s=new x(f(this.#d));this.#e={gesture:e,offset:t,sentPhase:"waiting",band:s,base:s.travel(t)}}#N(t,e){let s=this.#e,r=s.band.stretch(s.base+t);e||(s.timer||=setInterval(()=>this.#O(),yt));let{threshold:n,hysteresis:a}=this.#s.configuration,l=Math.round(r*10)/10,o=s.offset=e?Math.min(l,n-a):l;this.#u.follow(l);let{refresh:c}=this.#s.handle({type:"sample",gesture:s.gesture,offset:o});if(c!==void 0&&this.#j(),s!==this.#e)return r;this.#s.phase!==s.sentPhase&&this.#C(s,!0);let h={offset:l,progress:this.#s.progress,gesture:s.gesture};return this.#d.dispatchEvent(new CustomEvent("pull",{detail:h})),this.follow(),r}#C(t,e){t.sentPhase=this.#s.phase,t.sentOffset=t.offset,t.sentAt=performance.now(),this.#i.watch.pull(t.gesture,t.offset,e)}#O(){let t=this.#e,e=t.offset===t.wasAt;t.wasAt=t.offset,e&&t.offset!==t.sentOffset?this.#C(t,!1):e&&this.follow()}#j(){this.#i.consents("pull")||this.cancel(),this.#e&&(this.#e.isFired=!0,this.#o=this.#a=!0,this.#T(),this.#z($))}#$(t){let{gesture:e,offset:s,isFired:r}=this.#M(),n=Math.max(this.#s.peak??s,s),{refresh:a}=this.#s.handle({type:"release",gesture:e,offset:s,peak:n}),l=a!==void 0||r,{watch:o}=this.#i,c=a!==void 0&&!this.#i.consents("pull");if(o===this.#i.watch){if(c)return this.#s.handle({type:"refuse"}),o.cancelPull(e),this.#y(N,t),this.#i.turn();l&&(this.#o=!0),a!==void 0&&(this.#a=!0),a!==void 0&&this.#i.phase!=="loading"&&this.#T(),this.#q(o.releasePull(e,s,n),l),this.#y(l?P:N,t),this.#i.turn()}}#R(t){let{gesture:e,isFired:s}=this.#M();this.#s.handle({type:"cancel",gesture:e}),s&&(this.#p.patience=setTimeout(()=>this.drop(this.#t),j)),this.#i.watch?.cancelPull(e),this.#y(N,t),this.#i.turn()}#M(){let t=this.#e;return this.#e=null,clearInterval(t.timer),t}async#q(t,e){let{watch:s}=this.#i;try{let{run:r,reason:n}=await t;if(s!==this.#i.watch||(r&&this.#t&&(this.#t.run=r),r&&!S(r,s.state)))return;!r&&e?this.#E(n):this.drop(this.#t)}catch(r){if(s!==this.#i.watch)return;this.#E(),this.#i.fail("failed",r)}}#E(t){this.#s.handle({type:"refuse"}),t==="tooSoon"&&this.#i.say(this.#i.words.noNews),this.drop(this.#t)}#T(){this.#t={since:performance.now(),run:null},this.#l=!0}#y(t,e=0){if(this.#e)return;this.#h=this.#d.hasAttribute("behind");let s=this.#o&&(this.#t||this.#i.phase==="loading");this.#u.settle(s?this.#m:0,t,e)}#S(t=!1){this.#o=!t&&E(f(this.#d))&&!this.#i.isFirst,this.#c=!this.#o&&!this.#i.isFirst}#F(){!this.#o&&!this.#c&&this.#S(),this.#y(P)}#L(){if(this.#e||this.#t)return;let t=f(this.#d);this.#o&&t.scrollTop>this.#m&&this.#u.offset>=this.#m&&(this.#u.follow(0),t.scrollTop-=this.#m),this.#o=!1,this.#y(X),this.paint()}get#I(){let{phase:t,watch:e,words:s}=this.#i;if(t==="closing"&&!this.#t)return U(e?.state??{},s,this.#b.own("closing"));let r=this.#b.of(this.#t?"loading":t);if(!this.#t)return r;let n=performance.now()-this.#t.since;return n>j?s.queued:(this.#Y("patience",(n>O?j:O)+10-n),n>O?s.connecting:r)}#z(t){this.#s.configuration.haptics&&this.#n.play(t)}#Y(t,e){clearTimeout(this.#p[t]),this.#p[t]=setTimeout(()=>this.#i.paint(),e)}};export{Z as PullController};
//# sourceMappingURL=pull-controller.js.map
