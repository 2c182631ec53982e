"use strict";
// A folded network: each group opens to a picture of its own (VIEWS), which is unpacked when it is wanted.
const whole = { svg: picture.outerHTML, cables: {}, switches: {}, hosts: {}, results: typeof RESULTS === "undefined" ? null : RESULTS.view };
const folded = { shown: 0, index: null };

async function unpack(data) {
  const bytes = Uint8Array.from(atob(data), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

/// Shows a group's picture; 0 is the whole network.
async function open(number) {
  const content = number ? await unpack(VIEWS[number].data) : whole;
  for (const kind of ["cables", "switches", "hosts"]) Object.assign(NETWORK[kind], content[kind] || {});
  const drawn = new DOMParser().parseFromString(content.svg, "image/svg+xml").documentElement;
  picture.setAttribute("class", drawn.getAttribute("class"));
  picture.setAttribute("viewBox", drawn.getAttribute("viewBox"));
  picture.replaceChildren(...drawn.childNodes);
  folded.shown = number;
  tip.hidden = true;
  adopt();
  showPath();
  for (const act of onOpen) act(content);
}

/// Where the picture is: a link to each group around it.
function showPath() {
  const way = [];
  for (let number = folded.shown; number >= 0; number = VIEWS[number].parent) way.unshift(number);
  document.getElementById("path").innerHTML = way.map(number =>
    number === folded.shown ? `<b>${text(VIEWS[number].name)}</b>` : `<a data-view="${number}">${text(VIEWS[number].name)}</a>`).join(" › ");
}

async function index() {
  if (!folded.index) {
    folded.index = await unpack(INDEX);
    nameLists = [["s", Object.entries(folded.index.switches)], ["h", Object.entries(folded.index.hosts)]];
  }
  return folded.index;
}
prepare = index;

/// Opens the group that has a part.
reveal = async part => {
  const { leaf, host, cable } = await index();
  const on = part.kind === "s" ? part.number : part.kind === "h" ? host[part.number] : cable[part.number];
  if (on >= 0 && leaf[on] !== folded.shown) await open(leaf[on]);
};

/// A cable that leaves the picture leads to the group at its other end.
async function follow(number) {
  const { leaf } = await index(), [a, b] = NETWORK.cables[number];
  const other = [a, b].find(([kind, which]) => kind === 1 && leaf[which] !== folded.shown);
  if (!other) return;
  await open(leaf[other[1]]);
  mark({ kind: "c", number });
}

stage.addEventListener("click", event => {
  const group = event.target.closest(".group");
  if (group) return open(Number(group.id.slice(1)));
  const part = cableNear(event.clientX, event.clientY);
  return part && part.kind === "c" ? follow(part.number) : null;
});
document.getElementById("path").addEventListener("click", event => {
  if (event.target.dataset.view) open(Number(event.target.dataset.view));
});
document.addEventListener("keydown", event => {
  if (event.key === "Escape" && folded.shown) open(VIEWS[folded.shown].parent);
});
showPath();
